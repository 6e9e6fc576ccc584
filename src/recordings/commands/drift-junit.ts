import { attributes, escapeXml } from '../../base/report/xml.ts';
import type { DriftReport } from '../../base/schema/generated/recordings.ts';
import { differenceLines } from './drift-text.ts';
import { comparedLine, groupsIn, titleOf, verdictOf } from './drift-words.ts';

/** The report as JUnit XML: a case for each difference, and one for the comparison. */
export function junitOfDrift(report: DriftReport): string {
  const name = `merchant-sandbox drift ${report.recording.folder}`;
  const isNothingCompared = report.verdict === 'nothing-compared';
  const cases = groupsIn(report.differences).flatMap(([group, all]) =>
    all.flatMap((each) => [
      `    <testcase${attributes({ classname: group, name: titleOf(each) })}>`,
      `      <failure${attributes({ message: `${each.id}: ${titleOf(each)}` })}>${escapeXml(differenceLines(each).join('\n'))}</failure>`,
      '    </testcase>',
    ]),
  );
  const summary = attributes({ classname: 'drift', name: `compared ${comparedLine(report)}` });
  const counts = attributes({
    tests: report.differences.length + 1,
    failures: report.differences.length,
    errors: isNothingCompared ? 1 : 0,
    skipped: 0,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name })}${counts}>`,
    `  <testsuite${attributes({ name })}${counts}>`,
    ...(isNothingCompared
      ? [`    <testcase${summary}>`, `      <error${attributes({ message: verdictOf(report) })}/>`, '    </testcase>']
      : [`    <testcase${summary}/>`]),
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
