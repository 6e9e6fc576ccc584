import type { Difference } from '../../base/schema/recordings.ts';

const SCENARIO = 'scenarios/as-recorded.json';
const BEHAVIOUR = 'behaviours/as-recorded.json';

/** Where an overlay of the fixtures says what a difference is about; null where no fixture does. */
export function fixtureFor({ kind, part, place, operation, status }: Omit<Difference, 'fixture'>): string | null {
  switch (kind) {
    case 'sequence':
    case 'delay':
    case 'notification':
    case 'no-answer':
      return SCENARIO;
    case 'signature':
    case 'method':
    case 'attempts':
    case 'spacing':
      return BEHAVIOUR;
    case 'header':
    case 'content-type':
    case 'body':
    case 'length':
      return null;
    case 'status':
      return 'errors.json';
    default:
      return part === 'answer' ? memberOf(place, operation, status) : 'payment-states.json';
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
