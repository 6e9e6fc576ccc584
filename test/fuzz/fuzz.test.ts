import fc from 'fast-check';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';
import { machineNow } from '../../src/timers.ts';
import { attacks } from './attack.ts';
import { answerTo, faultIn, Gun, TRACE } from './shoot.ts';

/** `npm run fuzz -- --minutes N --seed S` sends more of them, or the same again. */
const MINUTES = Number(process.env['FUZZ_MINUTES'] ?? 0);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Between two looks at the machine's clock. */
const SHOTS_PER_ROUND = 1000;

let sandbox: Sandbox;
let gun: Gun;

beforeAll(async () => {
  sandbox = await startSandbox({ maxSessions: 200 });
  gun = new Gun(sandbox.url);
});
afterAll(async () => {
  gun.close();
  await sandbox.close();
});

it(
  'answers whatever comes in, in the form of the entry point that it came to',
  async () => {
    const until = machineNow() + MINUTES * 60_000;
    const attack = await attacks();
    const property = fc.asyncProperty(attack, async (each) => {
      expect(faultIn(each, await gun.shoot(each))).toBeUndefined();
    });
    let sent = 0;
    do {
      await fc.assert(property, { numRuns: SHOTS_PER_ROUND, seed: SEED + sent });
      sent += SHOTS_PER_ROUND;
    } while (machineNow() < until);
    if (MINUTES > 0) {
      process.stderr.write(`${sent} requests, none of them answered wrongly\n`);
    }
  },
  (MINUTES + 2) * 60_000,
);

/** What no client library would write, and what it would, cut or changed somewhere. */
const rawBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'get', 'CONNECT', 'PRI', ''),
      fc.oneof(fc.constantFrom('/pay/phone', '/_sandbox/state', '*', 'http://a/b', '//', '/s/'), fc.string()),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
      fc.array(
        fc.oneof(
          fc.constantFrom(
            'Host: a',
            'Content-Length: -1',
            'Content-Length: 5\r\nContent-Length: 6',
            'Transfer-Encoding: x',
          ),
          fc.constantFrom('Transfer-Encoding: chunked\r\n\r\nzz', 'Connection: Upgrade\r\nUpgrade: websocket', ': a'),
          fc.string(),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([method, path, version, lines]) =>
      Buffer.from(`${method} ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`),
    ),
);

it('goes on whatever bytes a connection brings, and tells nothing of itself', async () => {
  await fc.assert(
    fc.asyncProperty(rawBytes, async (bytes) => {
      expect(await answerTo(sandbox.url, bytes)).not.toMatch(TRACE);
    }),
    { numRuns: MINUTES > 0 ? 20_000 : 200, seed: SEED },
  );
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200);
});
