import type { Difference } from '../../base/schema/recordings.ts';

/** Where an overlay of the fixtures says what a difference is about; null where no fixture does. */
export function fixtureFor({ kind, part, operation, status }: Omit<Difference, 'fixture'>): string | null {
  switch (kind) {
    case 'sequence':
    case 'delay':
      return 'scenarios: settle';
    case 'signature':
    case 'method':
    case 'attempts':
    case 'spacing':
      return 'behaviours: notifications';
    case 'notification':
      return 'scenarios: webhook';
    case 'no-answer':
      return 'scenarios: fault';
    case 'header':
    case 'content-type':
    case 'body':
    case 'length':
      return null;
    case 'status':
      return 'errors.json';
    default:
      return part === 'answer' ? memberOf(operation, status) : 'payment-states.json';
  }
}

const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

function memberOf(operation: string | null, status: string | null): string {
  if (status !== '2xx') {
    return 'errors.json';
  }
  return INITIATIONS.includes(operation ?? '') ? 'channels.json: answers' : 'operations.json';
}
