import type { Difference, DriftReport } from '../../base/schema/generated/recordings.ts';
import { plural } from '../../base/text/plural.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import type { ActiveRules } from '../drift/noise-filter.ts';
import {
  comparedLine,
  describeFixtures,
  describeSide,
  describeSource,
  factsIn,
  groupsIn,
  titleOf,
  verdictOf,
} from './drift-words.ts';

export function textOfDrift(report: DriftReport): string {
  const groups = groupsIn(report.differences).flatMap(([group, all]) => [
    '',
    group,
    ...all.flatMap((each) => [
      `  ${each.id}  ${titleOf(each)}`,
      ...differenceLines(each).map((line) => `      ${line}`),
    ]),
  ]);
  const lines = [
    verdictOf(report),
    `Compared: ${comparedLine(report)}.`,
    ...report.notices,
    ...groups,
    '',
    ...factsIn(report).map(([name, value]) => `${name}: ${value}`),
    ...notComparedLines(report),
    ...noiseLines(report),
  ];
  return printableLines(lines.map(printable).join('\n'));
}

export function differenceLines(difference: Difference): string[] {
  return [
    `recorded  ${describeSide(difference, difference.recorded)}`,
    `sandbox   ${describeSide(difference, difference.sandbox)}`,
    `${describeSource(difference)}. ${describeFixtures(difference)}`,
  ];
}

export function notComparedLines({ notCompared: all }: DriftReport): string[] {
  return all.length === 0 ? [] : ['', 'Not compared:', ...all.map(({ reason, count }) => `  ${count}  ${reason}`)];
}

export function noiseLines({ noise: all }: DriftReport): string[] {
  const usedRules = all.filter(({ count }) => count > 0);
  const total = usedRules.reduce((sum, { count }) => sum + count, 0);
  return [
    '',
    `Ignored as noise: ${plural(total, 'difference')} by ${usedRules.length} of ${plural(all.length, 'rule')}${usedRules.length === 0 ? '.' : ':'}`,
    ...usedRules.map(({ name, count }) => `  ${count}  ${name}`),
  ];
}

export function textOfNoise({ rules, tolerance: { share, atLeastMs } }: ActiveRules): string {
  const lines = rules.map(({ name, why }) => `${name}: ${why}`);
  const tolerance = `Delays and times between attempts are the same within ${share * 100} % or ${atLeastMs} ms.`;
  return printableLines([...lines, tolerance].map(printable).join('\n'));
}
