import { NO_CERTIFICATE } from '../../../base/report/report-words.ts';
import type { ExaminationView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { consoleOf } from '../../address.ts';
import { Page } from '../../components/page.tsx';
import { Copy, Facts, Section } from '../../components/parts.tsx';
import { Shape, type Tone } from '../../components/state.tsx';
import { Controls } from './controls.tsx';
import { Matrix } from './matrix.tsx';
import { NoShop } from './no-shop.tsx';
import { UndecidedVerdicts } from './undecided-verdicts.tsx';
import { useExamination } from './use-examination.ts';
import { countOf, VerdictMark } from './verdict-mark.tsx';
import { Violations } from './violations.tsx';

export function Examination() {
  const { view, problem, refetch } = useExamination();
  return (
    <Page
      screen="examination"
      title="Examination"
      className="examination"
      isBusy={view === undefined && problem === undefined}
    >
      <header class="record-head">
        <h1>Examination</h1>
        <p class="record-detail">
          Tests your shop from outside: places orders in it as a customer would, loses answers, repeats, delays and
          forges notifications, and compares the orders with the payments in this sandbox.
        </p>
        {problem === undefined ? null : <p class="hint">{problem}</p>}
      </header>
      {view === undefined ? null : <ExaminedShop view={view} refetch={refetch} />}
      <p class="hint">{NO_CERTIFICATE}</p>
    </Page>
  );
}

function ExaminedShop({ view, refetch }: { view: ExaminationView; refetch(): void }) {
  const { shop, verdicts } = view;
  if (shop === null) {
    return <NoShop />;
  }
  return (
    <>
      <ProgressSection view={view} />
      {verdicts.length === 0 ? null : <Counts view={view} />}
      <Facts
        facts={[
          ['Adapter', <code key="adapter">{shop.adapter}</code>],
          ['Starts the shop', shop.command === null ? null : <code key="command">{shop.command}</code>],
          [
            'Address for your shop',
            shop.address === null ? null : (
              <>
                <code>{shop.address}</code> <Copy text={shop.address} label="Copy the base address" />
              </>
            ),
          ],
        ]}
      />
      <Controls view={view} refetch={refetch} />
      {verdicts.length === 0 ? null : (
        <>
          <Violations view={view} />
          <Section title="What was tried" level={2}>
            <Matrix verdicts={verdicts} counts={view.counts} />
          </Section>
          <UndecidedVerdicts view={view} />
        </>
      )}
    </>
  );
}

function ProgressSection({
  view: { state, progress, session, problem, orders, seed, milliseconds, counts, uncounted },
}: {
  view: ExaminationView;
}) {
  const { tone, words } = wordsOf(state, progress, countOf(counts, 'violated'));
  return (
    <section class="examination-progress" aria-label="Progress">
      <p class="verdict" role="status" data-testid="examination-state">
        {tone === undefined ? null : <Shape tone={tone} />}
        {words}
      </p>
      {progress === null ? null : (
        <>
          <progress
            aria-label="Progress"
            {...(progress.total === 0 ? {} : { value: progress.done, max: progress.total })}
          />
          <p class="hint" data-testid="examination-now">
            {progress.total === 0 ? '' : `${progress.done} of ${progress.total}: `}
            {progress.now}
          </p>
        </>
      )}
      {session === null ? null : (
        <p class="hint">
          <span>
            Its orders are placed in the session <a href={consoleOf(session)}>{session}</a>.
          </span>
        </p>
      )}
      {problem === null ? null : <pre class="problem">{problem}</pre>}
      {uncounted === undefined ? null : <p class="problem">{uncounted}</p>}
      {milliseconds === null ? null : (
        <p class="hint">
          {plural(orders ?? 0, 'order')} in {(milliseconds / 1000).toFixed(1)} s, seed {seed}
        </p>
      )}
    </section>
  );
}

function wordsOf(
  state: ExaminationView['state'],
  progress: ExaminationView['progress'],
  violated: number,
): { tone?: Tone; words: string } {
  const result = violated === 0 ? 'nothing violated' : `${violated} violated`;
  const tone = violated === 0 ? 'good' : 'bad';
  switch (state) {
    case 'running':
      return { tone: 'wait', words: `Running${roundedProgress(progress)}: ${result} so far` };
    case 'done':
      return { tone, words: `Done: ${result}` };
    case 'stopped':
      return { tone: 'none', words: `Stopped: ${result} so far` };
    case 'failed':
      return { tone: 'bad', words: 'Failed' };
    default:
      return { words: 'Nothing has been examined yet.' };
  }
}

/** Rounded, so that screen readers do not announce each situation. */
function roundedProgress(progress: ExaminationView['progress']): string {
  return progress === null || progress.total === 0
    ? ''
    : `, ${Math.floor((progress.done / progress.total) * 10) * 10} %`;
}

/** The number of each verdict, instead of a score. */
function Counts({ view: { counts } }: { view: ExaminationView }) {
  return (
    <ul class="counts" data-testid="examination-counts">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ verdict, words, count }) => (
          <li key={verdict}>
            <VerdictMark verdict={verdict} /> {count} {words}
          </li>
        ))}
    </ul>
  );
}
