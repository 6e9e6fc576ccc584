import type {
  ComparedRecording,
  Difference,
  DifferenceKind,
  DriftReport,
  DriftSide,
} from '../../base/schema/generated/recordings.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';

const KIND_TITLES: Readonly<Record<DifferenceKind, string>> = {
  status: 'HTTP status',
  'content-type': 'Content type',
  header: 'Header',
  body: 'Kind of body',
  'missing-member': 'Member only in the recording',
  'new-member': 'Member only in the sandbox',
  type: 'Type',
  'null-or-empty': 'Null or empty',
  format: 'Format',
  word: 'Value',
  order: 'Order of members',
  'no-answer': 'No answer',
  sequence: 'Sequence of statuses',
  delay: 'Delay',
  signature: 'Signature',
  method: 'Method',
  attempts: 'Number of attempts',
  spacing: 'Time between attempts',
  notification: 'Notification on one side only',
};

const MAX_SHOWN_LENGTH = 60;
const NOTHING = '–';
/** Kinds whose texts are shown as JSON, because the text "5" would otherwise look like the number 5. */
const JSON_KINDS: readonly DifferenceKind[] = ['content-type', 'type', 'null-or-empty', 'format', 'word'];

export function verdictOf(report: DriftReport): string {
  const { differences, verdict } = report;
  if (verdict === 'nothing-compared') {
    return 'Nothing was compared.';
  }
  return verdict === 'same'
    ? 'No differences: the sandbox behaves as the service did.'
    : `${plural(differences.length, 'difference')} between the recording and the sandbox.`;
}

export function comparedLine({ compared: { exchanges, members, notifications, payments } }: DriftReport): string {
  const counts = [
    plural(exchanges, 'exchange'),
    plural(members, 'member'),
    plural(notifications, 'notification'),
    plural(payments, 'payment'),
  ];
  return counts.join(', ');
}

export function factsIn({ recording, against }: DriftReport): (readonly [name: string, value: string])[] {
  return [
    ['Recording', describeRecording(recording)],
    ['Fixtures', against.fixtures ?? 'as shipped'],
    ['Scenario', against.scenario],
    ['Behaviour', against.behaviour],
  ];
}

function describeRecording({ folder, upstreams, from, to }: ComparedRecording): string {
  const span = from !== null && to !== null ? `, ${formatMoment(from)} to ${formatMoment(to)}` : '';
  return `${folder} (${upstreams.join(', ') || 'no service'}${span})`;
}

const formatMoment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)}`;

export function groupOf({ part, operation, channel, environment, status, count, compared }: Difference): string {
  const parts =
    part === 'answer'
      ? [operation ?? (count === compared ? 'All operations' : 'Several operations'), status ?? undefined]
      : [part === 'notification' ? 'Notifications' : statusesOf(channel), status ?? undefined];
  return [...parts, channel ?? undefined, environment === 'sandbox' ? 'sandbox routes' : undefined]
    .filter((each) => each !== undefined)
    .join(', ');
}

/** Payouts and links have no channel, and neither has a difference in payments of several channels. */
const statusesOf = (channel: string | null): string =>
  channel === null ? 'Statuses of payouts, payment links or several channels' : 'Payment statuses';

/** Differences by group, in the order of the first difference of each. */
export function groupsIn(differences: readonly Difference[]): [group: string, differences: Difference[]][] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const name = groupOf(difference);
    groups.set(name, [...(groups.get(name) ?? []), difference]);
  }
  return [...groups];
}

/** The title of a difference, such as `Value $.status`. */
export function titleOf({ kind, place }: Difference): string {
  const title = KIND_TITLES[kind];
  if (kind === 'delay') {
    return `${title} until ${place}`;
  }
  const isNamed = place.startsWith('$') || kind === 'header' || kind === 'notification';
  return isNamed ? `${title} ${place}` : title;
}

export function describeSide({ kind }: Difference, { is, values, more }: DriftSide): string {
  if (is === null) {
    return NOTHING;
  }
  const texts = values.map((value) => describeValue(kind, value));
  if (texts.join() === is) {
    return is;
  }
  const list = [...texts, ...(more ? ['…'] : [])].join(', ');
  const showsFormat =
    ['format', 'type', 'missing-member', 'new-member', 'signature'].includes(kind) || texts.length === 0;
  return printable(showsFormat ? [is, ...(list === '' ? [] : [list])].join(': ') : list);
}

function describeValue(kind: DifferenceKind, value: unknown): string {
  if (kind === 'delay') {
    return [value].flat().map(formatSeconds).join(' to ');
  }
  if (kind === 'spacing' && Array.isArray(value)) {
    return value.length === 0 ? NOTHING : value.map(formatSeconds).join(' then ');
  }
  if ((kind === 'sequence' || kind === 'order') && Array.isArray(value)) {
    return value.length === 0 ? NOTHING : value.join(kind === 'sequence' ? ' → ' : ', ');
  }
  const isPlain = typeof value === 'string' && !JSON_KINDS.includes(kind);
  const text = isPlain ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function formatSeconds(milliseconds: unknown): string {
  return `${Math.round(Number(milliseconds) / 100) / 10} s`;
}

/** How often a difference occurred, and where first. */
export function describeSource({ count, compared, source }: Difference): string {
  const counts = `Seen in ${count} of ${compared}`;
  return source ? `${counts}, first in ${source.file}:${source.line} (${source.at.slice(0, 10)})` : counts;
}

export function describeFixtures({ fixtures }: Difference): string {
  return fixtures.length === 0 ? 'No fixture changes it.' : `Change it in your fixtures: ${fixtures.join(' or ')}.`;
}
