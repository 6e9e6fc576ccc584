import request from 'supertest';
import type { SandboxClient, ShownCoverage } from '../../../../src/index.ts';
import { requireOperation } from '../../../../src/server/merchant-api/operations.ts';
import { prepare, send, tokenOf } from '../../../interface/calls.ts';
import { exampleOf } from '../../../interface/examples.ts';

type Cell = ShownCoverage['cells'][number];

export const WALLETS: Readonly<Record<string, string>> = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
};
export const REFERENCE = 'ORDER-1';
export const MOBILE = '263770000001';

/** Returns the paymentInitiationResponse. */
export async function payOn({ baseUrl }: SandboxClient, channel = 'qr-wallet'): Promise<Record<string, string>> {
  const mobile = channel === 'mobile-money' ? { payerMobile: MOBILE } : {};
  const body = exampleOf('requests/single-payment', {
    walletName: WALLETS[channel],
    payerReference: REFERENCE,
    ...mobile,
  });
  const { text } = await request(baseUrl).post('/init/authenticate/merchant/wallet').send(body);
  return JSON.parse(text).paymentInitiationResponse;
}

export async function queryStatus({ baseUrl }: SandboxClient, channel = 'qr-wallet', headers: object = {}) {
  const query = { transactionReference: REFERENCE, walletName: WALLETS[channel] };
  const { text } = await request(baseUrl)
    .get('/api/getPaymentDetails')
    .set({ Authorization: `Bearer ${await tokenOf(baseUrl)}`, ...headers })
    .query(query);
  return JSON.parse(text).status as string;
}

/** Calls an operation after `before` has ended. Stops waiting for the answer after `timeoutMs`, like a shop. */
export async function call(
  name: string,
  { baseUrl }: SandboxClient,
  before: () => Promise<void>,
  timeoutMs?: number,
): Promise<void> {
  const operation = requireOperation(name);
  const token = await tokenOf(baseUrl);
  const members = await prepare(baseUrl, operation, 'production', token);
  await before();
  await send(baseUrl, operation, operation.paths[0]?.path ?? '', token, members, timeoutMs).catch(() => undefined);
}

export async function run(cell: Pick<Cell, 'try'>, session: SandboxClient, reference = REFERENCE): Promise<void> {
  const AsyncFunction = (async () => undefined).constructor as new (
    ...words: string[]
  ) => (session: SandboxClient, reference: string) => Promise<void>;
  await new AsyncFunction('session', 'reference', cell.try)(session, reference);
}

export function seenIn({ cells }: ShownCoverage): string[] {
  return cells.filter(({ degree }) => degree === 'seen').map((cell) => `${cell.of}: ${cell.what}`);
}
