import type { RequestView } from '../../../src/base/schema/generated/control.ts';
import { caseOf } from '../../../src/examine/cases/case.ts';
import { ReachedCalls } from '../../../src/examine/cases/reached-calls.ts';
import type { Observation } from '../../../src/examine/observation/observation.ts';
import type { Situation } from '../../../src/examine/situations/situation.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';

function situation(id: string): Situation {
  const found = SITUATIONS.find((each) => each.id === id);
  if (!found) {
    throw new Error(`there is no situation ${id}`);
  }
  return found;
}

function observationOf(...operations: string[]): Observation {
  const requests = operations.map((operation) => ({ operation }) as RequestView);
  return { requests } as Pick<Observation, 'requests'> as Observation;
}

const TOKEN = situation('getAccessToken-refused');
const LOST = situation('answer-lost');
const LOST_AGAIN = situation('answers-lost');

it('a situation that needs no particular call applies to every shop', () => {
  expect(new ReachedCalls().areReached([LOST], 'qr-wallet')).toBe(true);
});

it('a call is disturbed by itself once two orders without faults made it on that channel', () => {
  const reached = new ReachedCalls();
  reached.record(caseOf([]), 'qr-wallet', observationOf('getAccessToken', 'initiatePayment'));
  expect(reached.areReached([TOKEN], 'qr-wallet')).toBe(false);
  reached.record(caseOf([situation('failed')]), 'qr-wallet', observationOf('getAccessToken', 'initiatePayment'));
  expect(reached.areReached([TOKEN], 'qr-wallet')).toBe(true);
  expect(reached.areReached([TOKEN], 'mobile-money')).toBe(false);
});

it('calls that a shop makes only after another fault are disturbed together with that fault', () => {
  const reached = new ReachedCalls();
  reached.record(caseOf([LOST]), 'qr-wallet', observationOf('initiatePayment', 'getAccessToken', 'getPaymentStatus'));
  expect(reached.areReached([TOKEN], 'qr-wallet')).toBe(false);
  expect(reached.areReached([LOST, TOKEN], 'qr-wallet')).toBe(true);
});

it('a second call is disturbed once a shop has made one after the same fault', () => {
  const reached = new ReachedCalls();
  reached.record(caseOf([situation('call-refused')]), 'qr-wallet', observationOf('initiatePayment', 'initiatePayment'));
  expect(reached.areReached([LOST_AGAIN], 'qr-wallet')).toBe(false);
  reached.record(caseOf([LOST]), 'qr-wallet', observationOf('initiatePayment', 'initiatePayment'));
  expect(reached.areReached([LOST_AGAIN], 'qr-wallet')).toBe(true);
});

it('a case without an observation reaches no calls', () => {
  const reached = new ReachedCalls();
  reached.record(caseOf([LOST]), 'qr-wallet', undefined);
  expect(reached.areReached([LOST_AGAIN], 'qr-wallet')).toBe(false);
});
