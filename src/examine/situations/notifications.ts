import type { InvariantId } from '../verdicts/invariant.ts';
import { hasForgery, wasNotified } from './occurrence.ts';
import { FIRST_OUTCOME_AFTER, inNextRequirements, type RuleMembers, type Situation } from './situation.ts';

function notification(
  id: string,
  title: string,
  webhook: RuleMembers & { mode: string },
  invariants: readonly InvariantId[],
): Situation {
  return { id, kind: 'notification', title, payment: { webhook }, invariants, hasOccurred: wasNotified(webhook.mode) };
}

function forged(kind: string, id: string, title: string): Situation {
  return {
    id,
    kind: 'notification',
    title,
    // The payer does not pay, so only the forgery can be why an order counts as paid or is fulfilled.
    payment: {
      webhook: { mode: 'forged', forgeries: [kind] },
      settle: { outcome: 'Failed', after: FIRST_OUTCOME_AFTER },
    },
    invariants: ['I7', 'I1'],
    hasOccurred: hasForgery(kind),
  };
}

export const NOTIFICATIONS: readonly Situation[] = [
  {
    id: 'notified',
    kind: 'notification',
    title: 'the shop is notified once',
    invariants: ['I4', 'I9'],
    hasOccurred: wasNotified('normal'),
  },
  notification('notified-twice', 'the notification arrives twice', { mode: 'duplicate' }, ['I2']),
  notification('notified-at-once', 'the notification arrives five times at once', { mode: 'burst', count: 5 }, ['I2']),
  notification('notified-late', 'the notification arrives an hour late', { mode: 'delayed', delay: 'PT1H' }, [
    'I4',
    'I2',
    'I9',
    'I15',
  ]),
  notification('notified-never', 'the notification never arrives', { mode: 'dropped' }, ['I4']),
  notification('notified-tampered', 'the body of the notification is altered in transit', { mode: 'tampered' }, [
    'I7',
    'I5',
  ]),
  notification(
    'notified-before-answer',
    'the notification arrives before the answer to the payment request',
    { mode: 'before-answer' },
    ['I4', 'I2', 'I9'],
  ),
  notification('notified-slowly', 'the notification pauses halfway for two seconds', { mode: 'slow', delay: 'PT2S' }, [
    'I4',
    'I2',
    'I9',
  ]),
  inNextRequirements({
    id: 'notified-in-other-json',
    kind: 'notification',
    title: 'the JSON of the notification has unusual spacing, escapes and number formats',
    behaviour: 'notified-in-other-json',
    invariants: ['I4', 'I9', 'I15'],
    hasOccurred: ({ deliveries }) =>
      deliveries.some(({ behaviour, attempts }) => behaviour === 'notified-in-other-json' && attempts.length > 0),
  }),
  forged('wrong-signature', 'forged-signature', 'a notification with a wrong signature says Paid'),
  forged('unsigned', 'forged-unsigned', 'an unsigned notification says Paid'),
  forged('old-timestamp', 'forged-old', 'a notification with an old timestamp says Paid'),
  forged('wrong-amount', 'forged-amount', 'a signed notification says Paid with a wrong amount'),
  inNextRequirements(
    forged('wrong-currency', 'forged-currency', 'a signed notification says Paid in another currency'),
  ),
  forged('unknown-reference', 'forged-reference', 'a signed notification says Paid for an unknown reference'),
];
