import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';

/**
 * A form token: only who was shown a page can send its form, and only for that payment (or link) and that step.
 * A pure function of the session's seed and name, so it needs no place to be kept in.
 */
export function formToken(session: Session, subject: string, step: string): string {
  return createHmac('sha256', `merchant-sandbox form ${session.state.seed} ${session.name}`)
    .update(`${subject} ${step}`)
    .digest('base64url');
}

/** Throws `forbidden-origin` for a form that this page did not give out. */
export function checkFormToken(session: Session, subject: string, step: string, token: string | undefined): void {
  const [wanted, shown] = [Buffer.from(formToken(session, subject, step)), Buffer.from(token ?? '')];
  if (wanted.length !== shown.length || !timingSafeEqual(wanted, shown)) {
    throw new Refusal(
      'forbidden-origin',
      'This form was not made by the page that it claims to come from. Open the page again.',
    );
  }
}
