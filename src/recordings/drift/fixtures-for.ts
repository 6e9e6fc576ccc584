import type { Difference } from '../../base/schema/recordings.ts';

const SCENARIO = 'scenarios/*.json';
const BEHAVIOUR = 'behaviours/*.json';
const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

/** The fixtures in which the sandbox's side of a difference can be changed; empty where none can. */
export function fixturesFor(difference: Omit<Difference, 'id' | 'fixtures'>): string[] {
  const { kind, part, place, operation, status, recorded } = difference;
  switch (kind) {
    case 'format':
      return [
        ...(/^(?:instant|local date-time)/.test(recorded.is ?? '') ? ['times.json'] : []),
        ...(part === 'answer' ? [memberFixture(place, operation, status)] : []),
      ];
    case 'delay':
      return part === 'answer' ? ['channels.json'] : [SCENARIO, BEHAVIOUR];
    case 'sequence':
    case 'notification':
    case 'no-answer':
      return [SCENARIO];
    case 'signature':
    case 'method':
    case 'attempts':
    case 'spacing':
      return [BEHAVIOUR];
    case 'header':
    case 'content-type':
    case 'body':
    case 'length':
    case 'repetition':
      return [];
    case 'status':
      return ['errors.json', SCENARIO];
    default:
      return part === 'answer' ? [memberFixture(place, operation, status)] : ['payment-states.json', SCENARIO];
  }
}

function memberFixture(place: string, operation: string | null, status: string | null): string {
  if (status !== '2xx') {
    return 'errors.json';
  }
  const isInitiation = place.startsWith('$.paymentInitiationResponse') || INITIATIONS.includes(operation ?? '');
  return isInitiation ? 'channels.json' : 'operations.json';
}
