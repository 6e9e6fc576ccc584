import type { ComponentChildren } from 'preact';
import type { OverviewView } from '../../../base/schema/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { lengthOf } from '../../../base/text/words.ts';
import { pathOfList } from '../../address.ts';
import { Section } from '../../components/parts.tsx';
import { Shape, type Tone } from '../../components/state.tsx';
import { wordsOfNext } from '../../frame/next.ts';
import { pathOfRecord } from '../../record-paths.ts';
import { clock, now } from '../../session-facts.ts';

interface Tile {
  label: string;
  count: number;
  tone: Tone;
  href: string;
  /** Hidden while its count is 0, because it is rare. */
  isRare?: boolean;
}

/** Counts that need attention, each with a link to its list. */
export function Attention({ overview }: { overview: OverviewView }) {
  const tiles = tilesOf(overview).filter(({ count, isRare }) => count > 0 || isRare !== true);
  return (
    <Section title="Needs attention" level={2}>
      <ul class="tiles" data-testid="attention">
        {tiles.map(({ label, count, tone, href }) => (
          <li key={label}>
            <a class={`tile ${count === 0 ? 'zero' : tone}`} href={href}>
              <span class="tile-count">
                {count === 0 ? null : <Shape tone={tone} />}
                {groupDigits(String(count))}
              </span>
              <span class="tile-label">{label}</span>
            </a>
          </li>
        ))}
        <NextDue />
      </ul>
    </Section>
  );
}

function tilesOf({ payments, payouts, deliveries, calls }: OverviewView): Tile[] {
  const of = (states: Readonly<Record<string, number>>, state: string) => states[state] ?? 0;
  return [
    {
      label: 'Failed payments',
      count: of(payments.states, 'Failed'),
      tone: 'bad',
      href: pathOfList('payments', 'state:Failed'),
    },
    { label: 'Refused calls', count: calls.refused, tone: 'bad', href: pathOfList('traffic', 'refused:true') },
    {
      label: 'Waiting for payer',
      count: of(payments.states, 'Processing'),
      tone: 'wait',
      href: pathOfList('payments', 'state:Processing'),
    },
    {
      label: 'Notifications given up',
      count: of(deliveries.states, 'failed'),
      tone: 'bad',
      href: pathOfList('traffic', 'state:failed'),
    },
    {
      label: 'Notifications held',
      count: of(deliveries.states, 'held'),
      tone: 'late',
      href: pathOfList('traffic', 'state:held'),
      isRare: true,
    },
    {
      label: 'Failed payouts',
      count: of(payouts.states, 'Failed'),
      tone: 'bad',
      href: pathOfList('payouts', 'state:Failed'),
      isRare: true,
    },
  ];
}

/** The next due job; a separate component, because a real clock changes all the time. */
function NextDue() {
  const told = clock.value;
  if (told === undefined) {
    return null;
  }
  const { next = null, nextDue } = told;
  if (next === null || nextDue === null) {
    return (
      <li>
        <Due href={pathOfList('traffic', 'kind:event')} length="Nothing" words="is due" isZero />
      </li>
    );
  }
  const { kind, reference, ends } = wordsOfNext();
  return (
    <li>
      <Due
        href={pathOfRecord(next.collection, next.recordId) ?? pathOfList('traffic', 'kind:event')}
        length={`in ${lengthOf(Date.parse(nextDue) - now.value)}`}
        words={
          <>
            {kind} <bdi>{reference}</bdi> {ends}
          </>
        }
      />
    </li>
  );
}

function Due({
  href,
  length,
  words,
  isZero = false,
}: {
  href: string;
  length: string;
  words: ComponentChildren;
  isZero?: boolean;
}) {
  return (
    <a class={`tile ${isZero ? 'zero' : 'due'}`} href={href} data-testid="next-due">
      <span class="tile-count">{length}</span>
      <span class="tile-label">{words}</span>
    </a>
  );
}
