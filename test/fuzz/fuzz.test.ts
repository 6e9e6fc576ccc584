import fc from 'fast-check';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';
import { machineNow } from '../../src/timers.ts';
import { attacks } from './attack.ts';
import { faultIn, Gun } from './shoot.ts';

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
