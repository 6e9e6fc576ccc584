import { examplePayment, nextReference } from '../../../base/example-payment.ts';
import { baseAddress } from '../../address.ts';

/** The credentials of the first merchant of the shipped fixtures. */
export const EXAMPLE_CREDENTIALS = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
} as const;

const ADDRESS = `${baseAddress}/sandbox/init/authenticate/merchant/wallet`;

const WALLET_NAME = 'WALLET_QR';

export function exampleCurl(): string {
  return [
    `curl ${ADDRESS} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(examplePayment(EXAMPLE_CREDENTIALS, WALLET_NAME), null, 2)}'`,
  ].join('\n');
}

/** Sends the example payment as an integration would; its reference is derived from the number of payments. */
export async function sendExample(paymentCount: number): Promise<void> {
  const answer = await fetch(ADDRESS, {
    method: 'POST',
    headers: { Accept: 'text/plain, application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(examplePayment(EXAMPLE_CREDENTIALS, WALLET_NAME, nextReference(paymentCount))),
  }).catch(() => {
    throw new Error('No answer was received. See Traffic.');
  });
  if (!answer.ok) {
    throw new Error(`The call was refused with status ${answer.status}. See Traffic.`);
  }
}
