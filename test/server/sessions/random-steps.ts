import fc from 'fast-check';
import type { SandboxClient } from '../../../src/client/client.ts';
import { exampleOf } from '../../interface/examples.ts';

/** Calls that change a session, some of which are refused. */
export const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('pay' as const),
      walletName: fc.constantFrom('WALLET_QR', 'WALLET_CARD_A', 'WALLET_SWITCH'),
      cents: fc.integer({ min: 1, max: 99_999 }),
    }),
    fc.record({ kind: fc.constant('advance' as const), seconds: fc.integer({ min: 0, max: 600 }) }),
    fc.record({ kind: fc.constant('refused' as const) }),
  ),
  { minLength: 1, maxLength: 8 },
);
export type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Takes a step in a session; returns the answer's bytes. */
export async function takeStep(session: SandboxClient, step: Step): Promise<string> {
  if (step.kind === 'advance') {
    const { now, happened } = await session.advance(`PT${step.seconds}S`);
    return JSON.stringify([now, happened]);
  }
  const amount = step.kind === 'pay' ? (step.cents / 100).toFixed(2) : 'nothing';
  const walletName = step.kind === 'pay' ? step.walletName : 'WALLET_QR';
  const answer = await fetch(`${session.baseUrl}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('requests/single-payment', { amount, walletName })),
  });
  return `${answer.status} ${await answer.text()}`;
}
