import { namesIn } from '../../../base/members.ts';
import type { Cell, CellKey, Degree } from '../../../base/report/coverage-cells.ts';
import type { Delivery, Payment, WebhookBehaviour } from '../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { ADJUSTMENT_EVENTS } from '../../domain/books/ledger/payment-movements.ts';
import type { ScenarioRule } from '../../domain/scenarios/scenario.ts';
import { notifiedTypes } from '../../domain/webhooks/new-notifications.ts';
import { useRulesLine } from './source-code.ts';

type Mode = WebhookBehaviour['mode'];

/** Whether a mode of delivery is covered separately for each event, or only once, because receivers handle it alike for every event. */
const SCOPES: Readonly<Record<Mode, 'each event' | 'any event'>> = {
  normal: 'each event',
  duplicate: 'each event',
  delayed: 'each event',
  reordered: 'each event',
  dropped: 'each event',
  'before-answer': 'any event',
  slow: 'any event',
  burst: 'any event',
  tampered: 'any event',
  forged: 'any event',
};

/** Notifications that a receiver must refuse. Any answer shows that it got them. */
const FORGED_MODES: ReadonlySet<Mode> = new Set(['tampered', 'forged']);

export function notificationCells(fixtures: Fixtures): Cell[] {
  const cellsByEvent = notifiedTypes(fixtures).flatMap((type) =>
    modesOf(type).map((mode) => ({ of: type, what: mode, try: lineFor(type, mode) })),
  );
  const cellsOfAnyEvent = modesWithScope('any event').map((mode) => ({
    of: SCOPES[mode],
    what: mode,
    try: lineFor('payment.paid', mode),
  }));
  return [...cellsByEvent, ...cellsOfAnyEvent].map((cell) => ({ class: 'notifications' as const, ...cell }));
}

/** Notifications of settlements are delivered normally. Only payments have status queries, which reveal a lost notification. */
function modesOf(type: string): readonly Mode[] {
  if (type.startsWith('settlement.')) {
    return ['normal'];
  }
  return modesWithScope('each event').filter((mode) => mode !== 'dropped' || isOfPayment(type));
}

function modesWithScope(scope: (typeof SCOPES)[Mode]): Mode[] {
  return namesIn(SCOPES).filter((mode) => SCOPES[mode] === scope);
}

function isOfPayment(type: string): boolean {
  return type.startsWith('payment.');
}

export function cellOfDelivery(delivery: Delivery): { cell: CellKey; degree: Degree } {
  const { type, attempts } = delivery;
  const mode = modeOf(delivery);
  const cell = { class: 'notifications' as const, of: SCOPES[mode] === 'any event' ? SCOPES[mode] : type, what: mode };
  const lastAttempt = attempts.at(-1);
  if (lastAttempt?.error === null || (lastAttempt && lastAttempt.status !== null && FORGED_MODES.has(mode))) {
    return { cell, degree: 'seen' };
  }
  return { cell, degree: lastAttempt && lastAttempt.status !== null ? 'delivered' : 'produced' };
}

/** Whether a delivery reports the true outcome of a payment or payout, and a receiver may believe it. */
export function reportsOutcome(delivery: Delivery): boolean {
  return !delivery.type.startsWith('settlement.') && !FORGED_MODES.has(modeOf(delivery));
}

/** The lost notification of the latest change of a payment; undefined if none was lost. */
export function droppedNotificationCell({ webhookBehaviour, history, adjustments }: Payment): CellKey | undefined {
  const step = history.at(-1);
  const lastAdjustment = adjustments?.at(-1);
  if (webhookBehaviour.mode !== 'dropped' || !step || step.from === null) {
    return undefined;
  }
  const type = lastAdjustment ? ADJUSTMENT_EVENTS[lastAdjustment.kind] : `payment.${step.to.toLowerCase()}`;
  return { class: 'notifications', of: type, what: 'dropped' };
}

/** The mode of a delivery. If a payment has forgeries, its genuine notification is a normal one. */
function modeOf({ forgery, webhookBehaviour: { mode } }: Delivery): Mode {
  if (forgery !== undefined) {
    return 'forged';
  }
  return mode === 'forged' ? 'normal' : mode;
}

const AT_ONCE = { after: 'PT0S' } as const;
const PAID = { outcome: 'Paid', ...AT_ONCE } as const;
const FAILED = { outcome: 'Failed', ...AT_ONCE } as const;

/** Rules that cause the events, except outcomes of payments. */
const RULES_BY_EVENT: Readonly<Record<string, ScenarioRule>> = {
  'payment.refunded': { settle: PAID, adjustments: { kind: 'refund', ...AT_ONCE } },
  'payment.reversed': { settle: PAID, adjustments: { kind: 'reversal', ...AT_ONCE } },
  'payment.charged-back': { settle: PAID, adjustments: { kind: 'chargeback', ...AT_ONCE } },
  'payment.chargeback-reversed': {
    settle: PAID,
    adjustments: [
      { kind: 'chargeback', ...AT_ONCE },
      { kind: 'chargeback-reversed', ...AT_ONCE },
    ],
  },
  'payout.paid': { settle: PAID },
  'payout.failed': { settle: FAILED },
  'payout.partly-paid': { settle: PAID, credits: [{ when: { number: 1 }, ...FAILED }] },
  'payout.credit-paid': { settle: PAID },
  'payout.credit-failed': { settle: FAILED },
  'payout.credit-returned': { credits: [{ ...PAID, returned: AT_ONCE }] },
};

/** A settlement is paid on the next business day, which is within a week, and only a control call returns it. */
const CLOSE_AND_TRANSFER = "await session.call('POST', '/settlements/close', {}); await session.advance('P7D');";
const SETTLEMENT_LINES: Readonly<Record<string, string>> = {
  'settlement.paid': CLOSE_AND_TRANSFER,
  'settlement.returned': `${CLOSE_AND_TRANSFER} await session.call('POST', '/settlements/settlement-1/return', {});`,
};

const OUTCOMES = ['Paid', 'Failed', 'Cancelled', 'Expired'] as const;

function lineFor(type: string, mode: Mode): string {
  const line = SETTLEMENT_LINES[type];
  if (line !== undefined) {
    return line;
  }
  const outcome = OUTCOMES.find((each) => type === `payment.${each.toLowerCase()}`);
  const rule = RULES_BY_EVENT[type] ?? { settle: { outcome: outcome ?? 'Paid', ...AT_ONCE } };
  const operation = isOfPayment(type) ? {} : { when: { operation: 'initiateBulkPayout' } };
  const webhook = mode === 'burst' ? { mode, count: 20 } : { mode };
  return useRulesLine({ ...operation, ...rule, webhook });
}
