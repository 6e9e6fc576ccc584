import { readFileSync } from 'node:fs';
import { toneOf } from '../../../src/console/components/state.tsx';
import { toneOfEvent } from '../../../src/console/screens/traffic/event-tone.ts';

const STATES = ['Processing', 'Paid', 'Failed', 'Cancelled', 'Expired', 'Refunded', 'Reversed', 'ChargedBack'];
const tones = STATES.map((state) => toneOf(state));

it('no two states of a payment have the same tone', () => {
  expect(new Set(tones).size).toBe(STATES.length);
});

it('each state of a payment after Processing has the tone of the event that leads to it', () => {
  const events = ['paid', 'failed', 'cancelled', 'expired', 'refunded', 'reversed', 'charged-back'];
  expect(events.map((event) => toneOfEvent(`payment.${event}`))).toEqual(tones.slice(1));
});

it('Returned differs in tone from Failed and ChargedBack, and PartlyPaid from Expired', () => {
  expect(toneOf('Returned')).not.toBe(toneOf('Failed'));
  expect(toneOf('PartlyPaid')).not.toBe(toneOf('Expired'));
  expect(toneOf('Returned')).not.toBe(toneOf('ChargedBack'));
});

it('Active and Paid have different tones', () => {
  expect(toneOf('Active')).not.toBe(toneOf('Paid'));
});

it('the tones of payment states, of PartlyPaid and of Active have a colour', () => {
  const css = readFileSync('src/console/styles/tones.css', 'utf8');
  for (const tone of [...tones, toneOf('PartlyPaid'), toneOf('Active')]) {
    expect(css).toMatch(new RegExp(`\\.${tone}(,\\n\\.[\\w-]+)* \\{\\n  --tone: `));
  }
});
