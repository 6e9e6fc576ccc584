import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../base/refusal.ts';
import type { Session } from '../../sessions/session.ts';
import { WORDS } from './words.ts';

/**
 * A form token: only a client that has loaded a page can send its form, and only for the page's subject (such as a payment) and step.
 * Keyed by the secret of the installation, so that knowing the session's seed is not enough to forge a form.
 */
export function formToken(session: Session, subject: string, step: string): string {
  const text = `form ${session.name} ${session.generation.number} ${subject} ${step}`;
  return createHmac('sha256', session.installationKey).update(text).digest('base64url');
}

/** Throws `forbidden-origin` unless a page for this subject and step contained the token, in this session since its last reset. */
export function checkFormToken(session: Session, subject: string, step: string, token: string | undefined): void {
  const [expected, received] = [Buffer.from(formToken(session, subject, step)), Buffer.from(token ?? '')];
  if (expected.length !== received.length || !timingSafeEqual(expected, received)) {
    throw new Refusal('forbidden-origin', WORDS.unknownForm);
  }
}

/** A form token for a single display of a form, so that a form that is sent twice is recognized. */
export function oneTimeFormToken(session: Session, subject: string, step: string): string {
  const formId = randomUUID();
  return `${formId}.${formToken(session, subject, `${step} ${formId}`)}`;
}

/** The form id in a one-time token. Throws `forbidden-origin` like checkFormToken. */
export function formIdOf(session: Session, subject: string, step: string, token = ''): string {
  const [formId = '', proof] = token.split('.');
  checkFormToken(session, subject, `${step} ${formId}`, proof);
  return formId;
}
