import { render } from 'preact-render-to-string';
import { plural } from '../../base/text/plural.ts';
import type { Examined } from '../examination.ts';
import type { Found } from '../findings.ts';
import { INVARIANTS, type Invariant } from '../invariants.ts';
import { SITUATIONS } from '../situations.ts';
import { VERDICTS, type Verdict } from '../verdicts.ts';
import { NO_CERTIFICATE, VERDICT_WORDS } from './summary.ts';

/** Colours that are told apart in light and dark, and never alone: each cell says its verdict. */
const STYLE = `
:root { color-scheme: light dark; --line: #8a8f98; --bad: #b3261e; --unsure: #7a5900; --good: #1b6e35; }
@media (prefers-color-scheme: dark) { :root { --bad: #ffb4ab; --unsure: #f3c04b; --good: #8bd99d; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; } article { border-left: 0.25rem solid var(--bad); padding-left: 1rem; margin: 1.5rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; min-width: 36rem; width: 100%; }
caption { text-align: left; } th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
pre { overflow-x: auto; white-space: pre-wrap; border: 1px solid var(--line); padding: 0.75rem; }
.violated { color: var(--bad); font-weight: 700; } .inconclusive, .not-exercised { color: var(--unsure); }
.handled, .handled-after-reconcile { color: var(--good); }
`;

/** The worst first: what a cell of the matrix says where several invariants were judged. */
const WORST: readonly Verdict[] = [
  'violated',
  'inconclusive',
  'not-exercised',
  'handled-after-reconcile',
  'handled',
  'not-applicable',
];

/** The examination as one HTML file that needs no network. */
export function pageOf(examined: Examined): string {
  const { subject, unseen, verdicts, counts, cases, seed, milliseconds } = examined;
  const title = `Examination of a ${subject}`;
  const violated = INVARIANTS.filter(({ id }) => verdicts.some((found) => isBroken(found, id)));
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <p>{[NO_CERTIFICATE, ...unseen].join(' ')}</p>
          <h1>{title}</h1>
          <p>{`${plural(cases, 'order')} in ${(milliseconds / 1000).toFixed(1)} s, seed ${seed}`}</p>
          <ul>
            {VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => (
              <li class={verdict}>{`${counts[verdict]} ${VERDICT_WORDS[verdict]}`}</li>
            ))}
          </ul>
          <h2>Violated</h2>
          {violated.length === 0 ? <p>Nothing.</p> : violated.map((invariant) => violationOf(invariant, verdicts))}
          <h2>What was tried</h2>
          {matrixOf(verdicts)}
          <h2>What could not be told</h2>
          {unknownOf(verdicts)}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}\n`;
}

const isBroken = ({ verdict, invariant }: Found, id: string) => verdict === 'violated' && invariant === id;

function violationOf({ id, sentence, why, mend }: Invariant, verdicts: readonly Found[]) {
  return (
    <article>
      <h3>{`${id}: ${sentence}`}</h3>
      <p>{`Why it matters: ${why}`}</p>
      <p>{`How to mend it: ${mend}`}</p>
      {verdicts
        .filter((found) => isBroken(found, id))
        .map(({ situation, channel, history, bundle }) => (
          <details>
            <summary>{`${situation} by ${channel}`}</summary>
            <pre>{history.join('\n')}</pre>
            {bundle === null ? null : (
              <p>
                Play it again: <code>{`merchant-sandbox replay ${bundle}`}</code>
              </p>
            )}
          </details>
        ))}
    </article>
  );
}

function matrixOf(verdicts: readonly Found[]) {
  const channels = [...new Set(verdicts.map(({ channel }) => channel))];
  const situations = [...new Set(verdicts.map(({ situation }) => situation))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than a phone is scrolled by keyboard, too
    <section class="wide" tabIndex={0} aria-label="Situations and channels">
      <table>
        <caption>The worst verdict of each situation on each channel</caption>
        <thead>
          <tr>
            <th scope="col">Situation</th>
            {channels.map((channel) => (
              <th scope="col">{channel}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {situations.map((situation) => (
            <tr>
              <th scope="row">{titleOf(situation)}</th>
              {channels.map((channel) => cellOf(verdicts, situation, channel))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellOf(verdicts: readonly Found[], situation: string, channel: string) {
  const here = verdicts.filter((found) => found.situation === situation && found.channel === channel);
  const worst = WORST.find((verdict) => here.some((found) => found.verdict === verdict));
  if (!worst) {
    return <td>–</td>;
  }
  const ids = here.filter(({ verdict }) => verdict === worst).map(({ invariant }) => invariant);
  return <td class={worst}>{`${VERDICT_WORDS[worst]} (${ids.join(', ')})`}</td>;
}

function titleOf(situation: string): string {
  return situation
    .split('+')
    .map((id) => SITUATIONS.find((each) => each.id === id)?.title ?? id)
    .join('; ');
}

function unknownOf(verdicts: readonly Found[]) {
  const untold = verdicts.filter(({ note }) => note !== undefined);
  return untold.length === 0 ? (
    <p>Nothing.</p>
  ) : (
    <ul>
      {untold.map(({ id, verdict, note }) => (
        <li>
          <span class={verdict}>{`${VERDICT_WORDS[verdict]}: `}</span>
          {`${id}: ${note}`}
        </li>
      ))}
    </ul>
  );
}
