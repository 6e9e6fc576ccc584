import { NO_CERTIFICATE } from '../../base/report/report-words.ts';
import { plural } from '../../base/text/plural.ts';
import type { ExaminationResult } from '../examination-result.ts';
import type { Adapter } from '../shop/adapter.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { REQUIREMENTS } from '../verdicts/requirements.ts';
import type { Verdict } from '../verdicts/verdicts.ts';

const STOPPED = 'The examination was stopped early: the report contains only what had been found.';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  handled: 'handled',
  'handled-after-reconcile': 'handled after reconciliation',
  violated: 'violated',
  'not-exercised': 'not exercised',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
};

const WORST_FIRST: readonly Verdict[] = [
  'violated',
  'inconclusive',
  'not-exercised',
  'handled-after-reconcile',
  'handled',
  'not-applicable',
];

export interface Facts {
  /** When the examination ended, by the machine's clock. */
  at: string;
  /** The version of the sandbox. */
  version: string;
  /** Further facts about the examination, such as the adapter and what it could not see. */
  named: readonly (readonly [name: string, value: string])[];
}

export interface Report extends ExaminationResult {
  facts?: Facts;
  /** Violations that do not change the exit code, and how to make them count; undefined without any. */
  uncounted?: { violations: number; note: string };
}

export function describeUncounted(uncounted: readonly CaseVerdict[]): Report['uncounted'] {
  const violations = uncounted.length;
  const note = `NOT COUNTED: ${plural(violations, 'violation')} outside requirements ${REQUIREMENTS}, without effect on the exit code. Use --next to count newer situations and invariants, too.`;
  return violations === 0 ? undefined : { violations, note };
}

/** A disclaimer and the limits of the examination. */
export function prefaceOf({ isStopped, unseen }: Pick<Report, 'isStopped' | 'unseen'>): string[] {
  return [NO_CERTIFICATE, ...(isStopped ? [STOPPED] : []), ...unseen];
}

export function reportTitleOf({ subject }: Pick<Report, 'subject'>): string {
  return `Examination of a ${subject === 'shop' ? 'shop' : 'webhook receiver'}`;
}

/** By optional export of an adapter, the part of a shop that it makes visible. */
const VISIBLE_BY_EXPORT = {
  webhookUrl: 'notifications',
  reconcile: "the shop's reconciliation job",
  refund: 'refunds by the shop',
  cancel: 'cancellations by the shop',
  backdate: "orders that are old by the shop's clock",
  returnFromPayment: "the browser's return",
  payAgain: 'second attempts to pay',
  payOut: 'payouts',
  subscribe: 'recurring payments',
  restart: 'restarts of the shop',
} as const;

export function visibilityOf(adapter: Adapter): Facts['named'] {
  const all = Object.entries(VISIBLE_BY_EXPORT).map(([name, what]) => ({ name, text: `${what} (${name})` }));
  const isSeen = ({ name }: { name: string }) => Reflect.get(adapter, name) !== undefined;
  const listed = (texts: readonly string[]) => (texts.length === 0 ? 'none' : texts.join(', '));
  return [
    ['Could see', listed(['orders and their states', ...all.filter(isSeen).map(({ text }) => text)])],
    ['Could not see', listed(all.filter((each) => !isSeen(each)).map(({ text }) => text))],
  ];
}

export function worstOf(found: readonly CaseVerdict[]): Verdict | undefined {
  return WORST_FIRST.find((verdict) => found.some((each) => each.verdict === verdict));
}

/** The cases with this verdict, grouped by their notes. */
export function reasonsFor(verdict: Verdict, { verdicts }: Report): { reason: string; verdicts: CaseVerdict[] }[] {
  const reasons = new Map<string, CaseVerdict[]>();
  for (const each of verdicts.filter((found) => found.verdict === verdict)) {
    const reason = each.note ?? 'unknown reason';
    reasons.set(reason, [...(reasons.get(reason) ?? []), each]);
  }
  return [...reasons].map(([reason, verdicts]) => ({ reason, verdicts }));
}

/** `situation` may be several ids, joined by +. */
export function situationTitleOf(situation: string): string {
  return situation
    .split('+')
    .map((id) => SITUATIONS.find((each) => each.id === id)?.title ?? id)
    .join('; ');
}

export function describeCase({ situation, channel, isScored, missed }: CaseVerdict): string {
  const remarks = [...(isScored ? [] : ['not a requirement']), ...(missed === undefined ? [] : [missed])];
  return `${situationTitleOf(situation)}, on ${channel}${remarks.length === 0 ? '' : ` (${remarks.join('; ')})`}`;
}

/** The id, and the order that a person should look at. */
export function findingNameOf({ id, orderId }: CaseVerdict): string {
  return orderId === undefined ? id : `${id} (order ${orderId})`;
}

/** At most one line; empty if no situation was timed. */
export function slowestLines({ slowest }: Pick<Report, 'slowest'>): string[] {
  const times = slowest.map(
    ({ situation, channel, milliseconds }) => `${situation} on ${channel} ${(milliseconds / 1000).toFixed(1)} s`,
  );
  return times.length === 0 ? [] : [`slowest: ${times.join(', ')}`];
}

export function extentOf({ cases, combinations, milliseconds }: Report): string {
  const together = combinations === 0 ? '' : `, ${combinations} of them in combinations of situations`;
  return `${plural(cases, 'order')} in ${(milliseconds / 1000).toFixed(1)} s${together}`;
}
