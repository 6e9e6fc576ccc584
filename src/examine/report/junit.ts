import type { Examined } from '../examination.ts';
import type { Found } from '../findings.ts';
import { invariantOf } from '../invariants.ts';
import { NO_CERTIFICATE } from './summary.ts';

/** The examination as JUnit XML: a suite for each situation, a case for each invariant and channel. */
export function junitOf({ verdicts, milliseconds, subject, unseen }: Examined): string {
  const suites = [...new Set(verdicts.map(({ situation }) => situation))].map((situation) => {
    const cases = verdicts.filter((found) => found.situation === situation);
    return [
      `  <testsuite${attributes({ name: situation, ...countsOf(cases) })}>`,
      ...cases.map(textOf),
      '  </testsuite>',
    ];
  });
  const seconds = (milliseconds / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- ${[NO_CERTIFICATE, ...unseen].join(' ').replaceAll('--', '')} -->`,
    `<testsuites${attributes({ name: `merchant-sandbox ${subject === 'shop' ? 'examine' : 'probe'}`, ...countsOf(verdicts), time: seconds })}>`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(found: readonly Found[]) {
  const count = (...wanted: string[]) => found.filter(({ verdict }) => wanted.includes(verdict)).length;
  return {
    tests: found.length,
    failures: count('violated'),
    errors: count('inconclusive'),
    skipped: count('not-exercised', 'not-applicable'),
  };
}

function textOf({ invariant, channel, situation, verdict, note, history, bundle }: Found): string {
  const open = `    <testcase${attributes({ classname: situation, name: `${invariant} by ${channel}: ${invariantOf(invariant).sentence}` })}`;
  const text = [...history, ...(bundle === null ? [] : [`merchant-sandbox replay ${bundle}`])].join('\n');
  switch (verdict) {
    case 'violated':
      return `${open}>\n      <failure${attributes({ message: invariantOf(invariant).sentence })}>${escaped(text)}</failure>\n    </testcase>`;
    case 'inconclusive':
      return `${open}>\n      <error${attributes({ message: note ?? '' })}>${escaped(text)}</error>\n    </testcase>`;
    case 'not-exercised':
    case 'not-applicable':
      return `${open}>\n      <skipped${attributes({ message: note ?? verdict })}/>\n    </testcase>`;
    default:
      return `${open}/>`;
  }
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the characters that XML cannot have. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\n\t\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
