import type { Difference } from '../../base/schema/recordings.ts';

const SCENARIO = 'scenarios/as-recorded.json';
const BEHAVIOUR = 'behaviours/as-recorded.json';

/** Which fixtures can say what a difference is about. */
export function fixturesAbout(difference: Omit<Difference, 'fixture'>): string[] {
  const { kind, part, place, operation, status, recorded } = difference;
  switch (kind) {
    case 'format':
      return [
        ...(/^(?:instant|local date-time)/.test(recorded.is ?? '') ? ['times.json'] : []),
        ...(part === 'answer' ? [memberOf(place, operation, status)] : []),
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
      return [];
    case 'status':
      return ['errors.json', SCENARIO];
    default:
      return part === 'answer' ? [memberOf(place, operation, status)] : ['payment-states.json', SCENARIO];
  }
}

const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

function memberOf(place: string, operation: string | null, status: string | null): string {
  if (status !== '2xx') {
    return 'errors.json';
  }
  const isAnswer = place.startsWith('$.paymentInitiationResponse') || INITIATIONS.includes(operation ?? '');
  return isAnswer ? 'channels.json' : 'operations.json';
}
