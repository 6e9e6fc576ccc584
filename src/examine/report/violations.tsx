import { parseInstant } from '../../base/time.ts';
import type { Step } from '../observation/story.ts';
import type { Subject } from '../scope.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { causesIn, type ViolationCause } from '../verdicts/causes.ts';
import { adviceFor } from './advice.ts';
import { describeCase, type Report } from './report.ts';

/** Each cause with the history of its first case; the histories of its other cases are collapsed. */
export function violations({ verdicts, subject }: Report) {
  return causesIn(verdicts).map((cause) => articleOf(cause, subject));
}

function articleOf(cause: ViolationCause, subject: Subject) {
  const {
    invariant: { id, sentence, why },
    verdicts: [shown, ...others],
  } = cause;
  return (
    <article class="card violation" id={id} aria-labelledby={`${id}-sentence`}>
      <h3 id={`${id}-sentence`}>{`${id}: ${sentence}`}</h3>
      <div class="advice">
        <div>
          <h4>Why it matters</h4>
          <p>{why}</p>
        </div>
        <div>
          <h4>How to fix it</h4>
          {adviceFor(cause).map((advice) => (
            <p>{advice}</p>
          ))}
        </div>
      </div>
      <h4>{`What happened: ${describeCase(shown)}`}</h4>
      {caseDetails(shown, subject)}
      {others.length > 0 ? <h4>Also, probably by the same cause</h4> : null}
      {others.map((found) => (
        <details>
          <summary>{`${found.invariant}: ${describeCase(found)}`}</summary>
          {caseDetails(found, subject)}
        </details>
      ))}
    </article>
  );
}

function caseDetails({ history, bundle, test }: CaseVerdict, subject: Subject) {
  return (
    <>
      {timelineOf(history, subject)}
      {bundle === null ? null : (
        <p>
          Open: <code class="command">{`merchant-sandbox open ${bundle}`}</code>
        </p>
      )}
      {test === null ? null : (
        <p>
          Test, to check a fix: <code class="command">{test}</code>
        </p>
      )}
    </>
  );
}

const LANES: Readonly<Record<Subject, string>> = { shop: 'Shop', receiver: 'Receiver' };

/** The examined side is on the left, the provider on the right, and the time between them. */
function timelineOf(history: readonly Step[], subject: Subject) {
  const [startedAt] = history.flatMap(({ at }) => (at === null ? [] : [at]));
  return (
    <>
      <div class="lanes" aria-hidden="true">
        <span>{LANES[subject]}</span>
        <span>Clock</span>
        <span>Provider</span>
      </div>
      <ol class="timeline">
        {history.map(({ at, side, who, text }) => (
          <li class={side}>
            <span class="side">{side === 'shop' ? LANES[subject] : 'Provider'}</span>
            {at === null ? null : (
              <time class="when" dateTime={at}>
                {clockOf(at, startedAt ?? at)}
              </time>
            )}
            <span class="what">{who === (side === 'shop' ? subject : side) ? text : `${who} ${text}`}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

const DAY_MS = 24 * 3_600_000;

/** The time of day in UTC, and how many days later it is than the beginning. */
function clockOf(at: string, startedAt: string): string {
  const days = (dayOf(at) - dayOf(startedAt)) / DAY_MS;
  return `${at.slice(11, 19)}${days === 0 ? '' : ` +${days}\u00a0d`}`;
}

function dayOf(at: string): number {
  return parseInstant(`${at.slice(0, 10)}T00:00:00Z`);
}
