import type { SandboxClient } from '../client/client.ts';
import { ControlError } from '../client/control-error.ts';
import { delay, steadyNow } from '../timers.ts';
import { type Command, type Shown, UsageError } from './command.ts';
import { cellOf } from './show.ts';

/** Milliseconds between two looks at a sandbox that is not ready. */
const BETWEEN_LOOKS_MS = 200;

export const READINESS_COMMANDS: readonly Command[] = [
  {
    name: 'health',
    parameters: [],
    help: 'show whether the sandbox is up and keeps changes; exit code 1 where it is not',
    run: healthOf,
  },
  {
    name: 'wait',
    parameters: [],
    options: [{ flags: '--timeout <seconds>', help: 'how long to wait at most (default 30)' }],
    help: 'wait until the sandbox is up and keeps changes; exit code 1 where it is not in time',
    async run(client, _parameters, { timeout = '30' }) {
      const seconds = Number(timeout);
      if (!/^\d+(?:\.\d+)?$/.test(String(timeout)) || !(seconds <= 86_400)) {
        throw new UsageError(`--timeout must be a number of seconds up to 86400, not ${JSON.stringify(timeout)}`);
      }
      return waitFor(client, seconds);
    },
  },
];

async function healthOf(client: SandboxClient): Promise<Shown> {
  const { health, isUp } = await look(client);
  const { status, version, reason } = health;
  const words = [status, version, reason].flatMap((each) => (each === undefined ? [] : [cellOf(each)]));
  return { data: health, text: words.join('  '), isFailure: !isUp };
}

interface Look {
  health: Record<string, unknown>;
  isUp: boolean;
}

/** A sandbox that does not keep changes says so in an answer of status 503. */
async function look(client: SandboxClient): Promise<Look> {
  try {
    return { health: await client.health(), isUp: true };
  } catch (error) {
    if (error instanceof ControlError && error.status === 503) {
      return { health: error.problem, isUp: false };
    }
    throw error;
  }
}

async function waitFor(client: SandboxClient, seconds: number): Promise<Shown> {
  const end = steadyNow() + seconds * 1000;
  for (;;) {
    const seen = await look(client).catch((error: unknown) => error);
    if (isLook(seen) && seen.isUp) {
      return { data: seen.health, text: `${client.baseUrl} is ready` };
    }
    if (steadyNow() + BETWEEN_LOOKS_MS > end) {
      const why = isLook(seen) ? String(seen.health['reason']) : 'nothing answers there';
      throw new Error(`${client.baseUrl} was not ready within ${seconds} seconds: ${why}`);
    }
    await delay(BETWEEN_LOOKS_MS);
  }
}

function isLook(seen: unknown): seen is Look {
  return typeof seen === 'object' && seen !== null && 'isUp' in seen;
}
