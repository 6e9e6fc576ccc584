import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SandboxClient } from '../../src/client/client.ts';
import { exampleOf } from '../interface/examples.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ChildProcess } from './child-process.ts';

const SCRIPT = new URL('./sandbox-on-small-disk.ts', import.meta.url);
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
/** The size of a journal's first line. With a smaller limit, it could not be written again in place. */
const FIRST_LINE_BYTES = 79;
const newFolder = temporaryFolders();

type StoredData = Awaited<ReturnType<typeof storedData>>;

let child: ChildProcess;
let url: string;
let shop: SandboxClient;

/** Starts a sandbox with one payment in the session `shop`. `wrap` changes the command that starts it. */
async function start(wrap = (command: string[]) => command): Promise<void> {
  const [command = '', ...rest] = wrap(ChildProcess.commandOf(SCRIPT, join(newFolder(), 'state.json')));
  child = new ChildProcess(command, rest);
  await child.waitForLines(1);
  url = child.lines[0] ?? '';
  shop = new SandboxClient({ url, session: 'shop' });
  await shop.freeze('2026-01-05T10:00:00Z');
  await shop.useScenario('payer-decides');
  expect((await pay('ONE')).status).toBe(200);
}

afterEach(() => child.kill());

function pay(payerReference: string): Promise<Response> {
  return fetch(shop.baseUrl + WALLET, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...exampleOf('requests/single-payment'), payerReference, walletName: 'WALLET_QR' }),
  });
}

/** The sandbox's warnings and errors, without the one about the state file, which only appears if a checkpoint happened to be due. */
function warnings(): string[] {
  return child.lines.slice(1).filter((line) => !line.includes('all changes are in the journal'));
}

async function health() {
  const answer = await fetch(`${url}/_sandbox/health`);
  return { http: answer.status, ...((await answer.json()) as { status: string; reason?: string }) };
}

/** Sends no other calls, because the sandbox must recover without them. */
async function waitUntilHealthy(): Promise<void> {
  while ((await health()).status !== 'ok') {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The sessions, and the data of `shop` without its generation, whose number a refused change may use up. */
async function storedData() {
  const { items } = await shop.call<{ items: { name: string }[] }>('GET', '/sessions');
  const hasShop = items.some(({ name }) => name === 'shop');
  const { state, ...records } = hasShop ? await shop.call<{ state: object }>('GET', '/state') : { state: {} };
  return { sessions: items.map(({ name }) => name), records, facts: { ...state, generation: 0 } };
}

/** The first stored events of `shop`. */
async function firstEvents(): Promise<string> {
  const { body } = await fetch(`${shop.baseUrl}/_sandbox/events?since=0`);
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

it('a sandbox continues with smaller changes after one that is too large for the disk', async () => {
  await start((command) => ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh', ...command]);
  await expect(shop.setEndpoints([{ url: 'http://127.0.0.1:9/', merchantId: 'x'.repeat(150_000) }])).rejects.toThrow(
    'EFBIG',
  );
  await shop.setEndpoints([{ url: 'http://127.0.0.1:9/', merchantId: 'M-2' }]);
  expect(await health()).toMatchObject({ http: 200, status: 'ok' });
  const { endpoints } = await shop.call<{ endpoints: { id: string; merchantId: string }[] }>(
    'GET',
    '/webhooks/endpoints',
  );
  expect(endpoints).toMatchObject([{ id: 'endpoint-1', merchantId: 'M-2' }]);
});

const canLimitFileSize = spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0;
if (canLimitFileSize) {
  describe('a sandbox on a full disk', () => {
    const setLimit = (bytes: number | 'unlimited') =>
      expect(spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]).status).toBe(0);
    const fillDisk = () => setLimit(FIRST_LINE_BYTES);
    const makeRoom = () => setLimit('unlimited');

    beforeEach(() => start());

    const withoutPayments = ({ records }: StoredData) => expect(records).toEqual({});
    const changes: [string, () => Promise<unknown>, (after: StoredData) => void][] = [
      ['a reset', () => shop.reset(), withoutPayments],
      ['a deletion', () => shop.call('DELETE', '/sessions/shop'), withoutPayments],
      [
        'a new session',
        () => shop.call('POST', '/sessions', { name: 'another' }),
        ({ sessions }) => expect(sessions).toContain('another'),
      ],
      [
        'a restored state',
        async () => {
          const { state } = await shop.call<{ state: object }>('GET', '/state');
          return shop.call('PUT', '/state', { state: { ...state, counters: {} } });
        },
        withoutPayments,
      ],
      [
        'a fork',
        () => shop.call('POST', '/sessions/shop/fork', { as: 'fork' }),
        ({ sessions }) => expect(sessions).toContain('fork'),
      ],
      [
        'the state of a new session',
        async () =>
          new SandboxClient({ url, session: 'import' }).call('PUT', '/state', await shop.call('GET', '/state')),
        ({ sessions }) => expect(sessions).toContain('import'),
      ],
      [
        'the endpoints of a new session',
        () => new SandboxClient({ url, session: 'made' }).setEndpoints([{ url: 'http://127.0.0.1:9/' }]),
        ({ sessions }) => expect(sessions).toContain('made'),
      ],
    ];

    it.each(changes)(
      'refuses %s without any effect, and accepts it once there is room',
      async (_, change, expectDone) => {
        const before = await storedData();
        const jobs = await shop.call('GET', '/jobs');
        fillDisk();
        await expect(change()).rejects.toMatchObject({
          status: 503,
          problem: {
            title: 'storage',
            detail: expect.stringMatching(/refused.*EFBIG.*Make room there, then send it again/),
          },
        });
        expect(await storedData()).toEqual(before);
        expect(await health()).toMatchObject({
          http: 503,
          status: 'degraded',
          reason: expect.stringContaining('EFBIG'),
        });

        makeRoom();
        await waitUntilHealthy();
        expect(await storedData()).toEqual(before);
        expect(await shop.call('GET', '/jobs')).toEqual(jobs);
        await change();
        expectDone(await storedData());
        expect(warnings()).toEqual([expect.stringContaining('could not be written')]);
      },
    );

    it('keeps events and logged calls after a refused reset, and runs due jobs once there is room', async () => {
      const [events, calls] = [await firstEvents(), await shop.call('GET', '/requests')];
      fillDisk();
      await expect(shop.reset()).rejects.toThrow();
      expect([await firstEvents(), await shop.call('GET', '/requests')]).toEqual([events, calls]);
      makeRoom();
      await waitUntilHealthy();
      await shop.runUntilIdle();
      expect(await shop.payment('ONE')).toMatchObject({ state: 'Expired' });
    });

    it('drops no job that becomes due, and logs one line about the disk', async () => {
      fillDisk();
      await expect(shop.runUntilIdle()).rejects.toMatchObject({ status: 503 });
      expect(await shop.payment('ONE')).toMatchObject({ state: 'Processing' });
      makeRoom();
      await waitUntilHealthy();
      await shop.runUntilIdle();
      expect(await shop.payment('ONE')).toMatchObject({ state: 'Expired' });
      expect(await firstEvents()).not.toContain('job.failed');
      expect(warnings()).toEqual([expect.stringContaining('could not be written')]);
    });

    it('answers each caller in its format', async () => {
      const { items } = await shop.payments();
      const page = `${shop.baseUrl}/pay/approve/${items[0]?.paymentCode}`;
      const formToken = / name="formToken" value="([^"]+)"/.exec(await (await fetch(page)).text())?.[1] ?? '';
      fillDisk();
      const refusal = await pay('TWO');
      expect([refusal.status, refusal.headers.get('x-sandbox-outcome')]).toEqual([503, 'refused: storage (SBX-R20)']);
      expect(await refusal.json()).toMatchObject({
        auth: { errorResponse: { errorMessage: expect.stringContaining('Make room there'), statusCode: 503 } },
        paymentInitiationResponse: null,
      });
      const approval = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ action: 'approve', formToken }),
      });
      expect(approval.status).toBe(503);
      expect(await approval.text()).toMatch(/Not available now.*The change was refused.*Make room there/s);
      expect((await shop.payments()).items).toMatchObject([{ payerReference: 'ONE', state: 'Processing' }]);
    });
  });
}
