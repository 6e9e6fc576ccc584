import type { Difference, DifferenceKind } from '../../base/schema/generated/recordings.ts';

const [SCENARIO, BEHAVIOUR] = ['scenarios/*.json', 'behaviours/*.json'];
const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

/** THE TABLE of the fixtures that can change the sandbox's side of a difference. For other kinds, they depend on the part and the member. */
const FIXTURES: Readonly<Partial<Record<DifferenceKind, readonly string[]>>> = {
  status: ['errors.json', SCENARIO],
  'no-answer': [SCENARIO],
  sequence: ['payment-states.json', SCENARIO],
  delay: [SCENARIO, BEHAVIOUR],
  notification: [SCENARIO],
  signature: [BEHAVIOUR],
  method: [BEHAVIOUR],
  attempts: [BEHAVIOUR],
  spacing: [BEHAVIOUR],
  header: [],
  'content-type': [],
  body: [],
};

export function fixturesFor({ kind, part, place, operation, status, recorded }: Difference): string[] {
  const tableEntry = FIXTURES[kind];
  if (tableEntry) {
    return [...tableEntry];
  }
  const times = kind === 'format' && /^(?:instant|local date-time)/.test(recorded.is ?? '') ? ['times.json'] : [];
  return [
    ...times,
    ...(part === 'answer' ? [memberFixture(place, operation, status)] : ['payment-states.json', SCENARIO]),
  ];
}

function memberFixture(place: string, operation: string | null, status: string | null): string {
  if (status !== '2xx') {
    return 'errors.json';
  }
  const isInitiation = place.startsWith('$.paymentInitiationResponse') || INITIATIONS.includes(operation ?? '');
  return isInitiation ? 'channels.json' : 'operations.json';
}
