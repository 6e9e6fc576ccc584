import type { Difference, DriftReport, NoiseRule } from '../../base/schema/recordings.ts';
import { plural } from '../../base/text/plural.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import {
  comparedLine,
  factsIn,
  fixtureWords,
  groupsIn,
  sideWords,
  sourceWords,
  titleOf,
  verdictOf,
} from './drift-words.ts';

/** The report for a terminal: the verdict first. */
export function textOfDrift(report: DriftReport): string {
  const groups = groupsIn(report.differences).flatMap(([group, all]) => [
    '',
    group,
    ...all.flatMap((each) => linesOf(each)),
  ]);
  const lines = [
    verdictOf(report),
    `Compared: ${comparedLine(report)}.`,
    ...report.notices,
    ...groups,
    '',
    ...factsIn(report).map(([name, value]) => `${name}: ${value}`),
    ...notCompared(report),
    ...noise(report),
  ];
  return printableLines(lines.map(printable).join('\n'));
}

function linesOf(difference: Difference): string[] {
  return [
    `  ${difference.id}  ${titleOf(difference)}`,
    `      recorded  ${sideWords(difference, difference.recorded)}`,
    `      sandbox   ${sideWords(difference, difference.sandbox)}`,
    `      ${sourceWords(difference)}. ${fixtureWords(difference)}`.trimEnd(),
  ];
}

function notCompared({ notCompared: all }: DriftReport): string[] {
  return all.length === 0
    ? []
    : ['', 'Not compared:', ...all.map(({ reason, because, count }) => `  ${count}  ${reason}${causeOf(because)}`)];
}

export function causeOf(because: string | null): string {
  return because === null ? '' : `, because of ${because}`;
}

function noise({ noise: all }: DriftReport): string[] {
  const used = all.filter(({ count }) => count > 0);
  const total = used.reduce((sum, { count }) => sum + count, 0);
  return [
    '',
    `Ignored as noise: ${plural(total, 'difference')} by ${used.length} of ${plural(all.length, 'rule')}${used.length === 0 ? '.' : ':'}`,
    ...used.map(({ name, count }) => `  ${count}  ${name}`),
  ];
}

/** What `--noise` prints. */
export function textOfNoise(rules: readonly NoiseRule[]): string {
  const lines = rules.flatMap((rule) => [rule.name, `  ${rule.why}`, `  Ignores ${ignoredBy(rule)}.`]);
  return printableLines(lines.map(printable).join('\n'));
}

const IGNORES: Readonly<Record<NoiseRule['ignores'], string>> = {
  value: 'other values',
  format: 'other values and formats',
  everything: 'everything',
  tolerance: 'what is near enough',
};

function ignoredBy({ ignores, operations, members, headers, formats, kinds, share, atLeastMs }: NoiseRule): string {
  const parts = [
    ['operations', operations],
    ['members', members],
    ['headers', headers],
    ['formats', formats],
    ['kinds', kinds],
  ] as const;
  const where = parts.flatMap(([name, all]) => (all ? [`${name} ${all.join(', ')}`] : []));
  const near = ignores === 'tolerance' ? `: ${(share ?? 0) * 100} %, at least ${atLeastMs ?? 0} ms` : '';
  return `${IGNORES[ignores]}${where.length === 0 ? '' : ` of ${where.join('; ')}`}${near}`;
}
