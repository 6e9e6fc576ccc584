// `npm run bench`: measures the sandbox and, in the same run, bare Express or another sandbox, so that a noisy machine matters less.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWith } from './bench/against.mjs';
import { profileChannels } from './bench/profile.mjs';
import { benchCheckpoint } from './bench/suites/checkpoint.mjs';
import { benchClock } from './bench/suites/clock.mjs';
import { benchCost } from './bench/suites/cost.mjs';
import { benchGrowth } from './bench/suites/growth.mjs';
import { benchHistories } from './bench/suites/histories.mjs';
import { benchIdleSessions } from './bench/suites/idle-sessions.mjs';
import { benchLatency } from './bench/suites/latency.mjs';
import { benchMasking } from './bench/suites/masking.mjs';
import { benchMemory } from './bench/suites/memory.mjs';
import { benchNodes } from './bench/suites/nodes.mjs';
import { benchPayments } from './bench/suites/payments.mjs';
import { benchPeers } from './bench/suites/peers.mjs';
import { benchSessions } from './bench/suites/sessions.mjs';
import { benchStart } from './bench/suites/start.mjs';
import { benchStatus } from './bench/suites/status.mjs';
import { benchStored } from './bench/suites/stored.mjs';
import { benchUserSuite } from './bench/suites/user-suite.mjs';
import { benchWebhooks } from './bench/suites/webhooks.mjs';

const SUITES = {
  payments: benchPayments,
  cost: benchCost,
  status: benchStatus,
  stored: benchStored,
  memory: benchMemory,
  masking: benchMasking,
  start: benchStart,
  latency: benchLatency,
  checkpoint: benchCheckpoint,
  clock: benchClock,
  sessions: benchSessions,
  histories: benchHistories,
  'idle-sessions': benchIdleSessions,
  webhooks: benchWebhooks,
  suite: benchUserSuite,
  growth: benchGrowth,
  nodes: benchNodes,
  peers: benchPeers,
};
const FLAGS = {
  rounds: { type: 'string' },
  seconds: { type: 'string', default: '4' },
  payments: { type: 'string', default: '100000' },
  million: { type: 'boolean', default: false },
  peers: { type: 'string' },
  against: { type: 'string' },
  profile: { type: 'boolean', default: false },
};
const NAME_WIDTH = 64;

function refuse(reason) {
  console.error(reason);
  console.error(`suites: ${Object.keys(SUITES).join(' ')}`);
  console.error('flags: --rounds N --seconds N --payments N --million --peers[=<folder>] --profile --against <commit>');
  process.exit(2);
}

function readCommand() {
  const words = process.argv.slice(2).map((word) => (word === '--peers' ? '--peers=.' : word));
  try {
    return parseArgs({ args: words, options: FLAGS, allowPositionals: true });
  } catch (error) {
    return refuse(error.message);
  }
}

function count(flag, text) {
  return /^[1-9]\d*$/.test(text) ? Number(text) : refuse(`--${flag} takes a whole number above 0, not ${text}`);
}

const { values, positionals } = readCommand();
const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  refuse(`there is no suite ${unknown.join(', ')}`);
}
const payments = count('payments', values.payments);
const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1));
}

const options = {
  rounds: count('rounds', values.rounds ?? (values.against === undefined ? '5' : '7')),
  seconds: count('seconds', values.seconds),
  /** Numbers of stored payments: with --million, ten times as many as well. */
  levels: values.million ? [payments, 10 * payments] : [payments],
  peers: values.peers ?? '.',
  folder,
};

/** With `isMaximum`, the aim is a maximum; default: a minimum. */
function print({ name, value, aim, isMaximum = false, note = '' }) {
  const figure = value.toFixed(Math.abs(value) < 100 ? 2 : 0);
  const limit = aim === undefined ? '' : `${isMaximum ? '≤' : '≥'} ${aim}`;
  const isMet = aim === undefined || (isMaximum ? value <= aim : value >= aim);
  console.log(
    `${name.padEnd(NAME_WIDTH)}  ${figure.padStart(8)}  ${limit.padStart(7)}  ${isMet ? '' : 'MISSED '}${note}`,
  );
}

if (values.profile) {
  await profileChannels(options);
} else if (values.against !== undefined) {
  process.exitCode = (await compareWith(values.against, options)) ? 0 : 1;
} else {
  const defaults = Object.keys(SUITES).filter((name) => name !== 'peers');
  const chosen = new Set(positionals.length > 0 ? positionals : defaults);
  if (values.peers !== undefined) {
    chosen.add('peers');
  }
  console.log(`${'measure'.padEnd(NAME_WIDTH)}  ${'value'.padStart(8)}  ${'aim'.padStart(7)}`);
  for (const name of chosen) {
    for (const row of await SUITES[name](options)) {
      print(row);
    }
  }
}
