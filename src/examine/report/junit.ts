import { attributes, escapeXml } from '../../base/report/xml.ts';
import { linesOf } from '../observation/story.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { INVARIANTS, invariantOf } from '../verdicts/invariants.ts';
import { describeCase, prefaceOf, type Report } from './report.ts';

/** The examination as JUnit XML: a suite for each invariant, a case for each situation and channel. */
export function junitOf(report: Report): string {
  const { verdicts, seed, requirements, milliseconds, subject, facts } = report;
  const properties = propertiesOf({
    seed: String(seed),
    requirements,
    ...(facts ? { version: facts.version, ...Object.fromEntries(facts.named) } : {}),
  });
  const suites = INVARIANTS.flatMap(({ id, sentence }) => {
    const cases = verdicts.filter(({ invariant }) => invariant === id);
    return cases.length === 0
      ? []
      : [
          `  <testsuite${attributes({ name: `${id}: ${sentence}`, ...countsOf(cases) })}>`,
          ...properties,
          ...cases.flatMap(linesOfCase),
          '  </testsuite>',
        ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${prefaceOf(report).join(' ').replaceAll('--', '')} -->`,
    `<testsuites${attributes({ name: `merchant-sandbox ${subject === 'shop' ? 'examine' : 'probe'}`, ...countsOf(verdicts), time: (milliseconds / 1000).toFixed(3) })}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function propertiesOf(values: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(values).map(([name, value]) => `      <property${attributes({ name, value })}/>`);
  return ['    <properties>', ...lines, '    </properties>'];
}

function countsOf(found: readonly CaseVerdict[]) {
  const count = (...wanted: string[]) => found.filter(({ verdict }) => wanted.includes(verdict)).length;
  return {
    tests: found.length,
    failures: count('violated'),
    errors: count('inconclusive'),
    skipped: count('not-exercised', 'not-applicable'),
  };
}

function linesOfCase(found: CaseVerdict): string[] {
  const open = `    <testcase${attributes({ classname: found.invariant, name: describeCase(found) })}`;
  const content = contentOf(found);
  return content === undefined ? [`${open}/>`] : [`${open}>`, `      ${content}`, '    </testcase>'];
}

function contentOf({ verdict, note = verdict, orderId, invariant, history, bundle }: CaseVerdict): string | undefined {
  const command = bundle === null ? [] : [`Open: merchant-sandbox open ${bundle}`];
  const text = escapeXml([...linesOf(history), ...command].join('\n'));
  switch (verdict) {
    case 'violated':
      return `<failure${attributes({ message: invariantOf(invariant).sentence })}>${text}</failure>`;
    case 'inconclusive':
      return `<error${attributes({ message: orderId === undefined ? note : `${note} (order ${orderId})` })}>${text}</error>`;
    case 'not-exercised':
      return `<skipped${attributes({ message: `not exercised: ${note}` })}/>`;
    case 'not-applicable':
      return `<skipped${attributes({ message: `not applicable: ${note}` })}/>`;
    default:
      return undefined;
  }
}
