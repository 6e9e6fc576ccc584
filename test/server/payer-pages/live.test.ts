import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { createLink, pay, payLink, submit } from './visits.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

/** Opens the stream of a page. `next` waits for the next message, and returns undefined at the end. */
async function listen(page: { stream: string }) {
  const { body } = await fetch(`${sandbox.url}${page.stream}`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next(): Promise<string | undefined> {
      for (;;) {
        const [message, ...rest] = text.split('\n\n');
        if (rest.length > 0) {
          text = rest.join('\n\n');
          if (!message?.startsWith('retry')) {
            return message?.replace('data: ', '').trim();
          }
        } else {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) {
            return undefined;
          }
          text += value;
        }
      }
    },
    close: () => reader?.cancel(),
  };
}

async function open({ baseUrl }: SandboxClient, path: string) {
  const { text } = await request(baseUrl).get(path);
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1];
  return { stream: attribute('data-versions') ?? '', version: attribute('data-version') };
}

it('an open page gets its version, and a new one after a change', async () => {
  const session = sandbox.session('live');
  const card = await pay(session, { walletName: 'WALLET_CARD_A', payerReference: 'CARD-1' });
  const qr = await pay(session, { payerReference: 'QR-1' });
  await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference: 'PHONE-1' });
  const link = (await createLink(session, { paymentLinkType: 'ONCE_OFF_FIXED' })).replace(session.baseUrl, '');
  await payLink(session, link, { channel: 'card-switch' });
  for (const [path, change] of [
    [`/pay/checkout?paymentCode=${card['paymentId']}`, () => session.settle('CARD-1', 'Failed')],
    [`/pay/approve/${qr['paymentCode']}`, () => session.settle('QR-1', 'Paid')],
    ['/pay/phone/263770000001', () => session.settle('PHONE-1', 'Cancelled')],
    [link, () => session.settle('payment-4', 'Paid')],
  ] as const) {
    const page = await open(session, path);
    const stream = await listen(page);
    expect([path, await stream.next()]).toEqual([path, page.version]);
    await change();
    const version = await stream.next();
    expect(version).not.toBe(page.version);
    const reopened = await open(session, path);
    expect([path, reopened.version]).toEqual([path, path.includes('phone') ? version : undefined]);
    await stream.close();
  }
});

it('an open link page gets a new version when the merchant changes the link', async () => {
  const session = sandbox.session('changed-link');
  const link = (await createLink(session)).replace(session.baseUrl, '');
  const page = await open(session, link);
  const stream = await listen(page);
  expect(await stream.next()).toBe(page.version);
  await createLink(session, { id: '1', paymentLinkAmount: '30.00', paymentLinkImageType: 'NONE' });
  expect(await stream.next()).toBe((await open(session, link)).version);
  await stream.close();
});

it.each<[string, boolean, ((session: SandboxClient) => Promise<unknown>)[]]>([
  ['is frozen', true, [(session) => session.advance('PT30S'), (session) => session.freeze('2026-03-01T10:05:00Z')]],
  ['runs', false, [(session) => session.advance('PT30S'), (session) => session.freeze()]],
])('an open page gets a new version when a clock that %s is moved or set', async (_title, isFrozen, moves) => {
  const session = sandbox.session(isFrozen ? 'frozen-clock' : 'running-clock');
  await (isFrozen ? session.reset() : session.unfreeze());
  const { paymentId } = await pay(session, { walletName: 'WALLET_CARD_A' });
  await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference: 'PHONE-1' });
  const link = (await createLink(session)).replace(session.baseUrl, '');
  const paths = [`/pay/checkout?paymentCode=${paymentId}`, '/pay/phone/263770000001', link];
  const streams = await Promise.all(paths.map(async (path) => listen(await open(session, path))));
  await Promise.all(streams.map((stream) => stream.next()));
  for (const move of moves) {
    await move(session);
    for (const [index, stream] of streams.entries()) {
      expect(await stream.next()).toBe((await open(session, paths[index] ?? '')).version);
    }
  }
  await Promise.all(streams.map((stream) => stream.close()));
});

it('an open phone page gets a new version after a wrong PIN, and none for other payments', async () => {
  const session = sandbox.session('wrong-pin');
  await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference: 'PHONE-1' });
  const page = await open(session, '/pay/phone/263770000001');
  const stream = await listen(page);
  expect(await stream.next()).toBe(page.version);
  await pay(session, { payerReference: 'SOMEBODY-ELSE' });
  await submit(session, '/pay/phone/263770000001', { pin: '0000', action: 'confirm' });
  expect(await stream.next()).toBe((await open(session, '/pay/phone/263770000001')).version);
  await stream.close();
});

it('the stream of a page ends with the message `over` when its session is deleted', async () => {
  const session = sandbox.session('deleted');
  const { paymentCode } = await pay(session, {});
  const stream = await listen(await open(session, `/pay/approve/${paymentCode}`));
  await stream.next();
  await sandbox.client.deleteSession('deleted');
  expect([await stream.next(), await stream.next()]).toEqual(['event: over\ndata:', undefined]);
});

it('a stream exists only for known kinds of pages', async () => {
  for (const kind of ['payouts', 'constructor']) {
    expect((await request(sandbox.url).get(`/pay/versions/${kind}/1`)).status).toBe(404);
  }
});

it('a page without scripts reloads only if no input can be lost', async () => {
  const session = sandbox.session('no-scripts');
  await session.reset();
  const refreshes = async (path: string) =>
    /http-equiv="refresh"/i.test((await request(session.baseUrl).get(path)).text);
  expect(await refreshes('/pay/phone/263770000001')).toBe(true);
  await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference: 'PHONE-1' });
  const { paymentId } = await pay(session, { walletName: 'WALLET_CARD_A' });
  const { paymentCode } = await pay(session, {});
  expect(await refreshes('/pay/phone/263770000001')).toBe(false);
  expect(await refreshes(`/pay/checkout?paymentCode=${paymentId}`)).toBe(false);
  expect(await refreshes(`/pay/approve/${paymentCode}`)).toBe(true);
});
