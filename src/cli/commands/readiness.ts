import { plural } from '../../base/text/plural.ts';
import { afterMilliseconds, delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { NoAnswerError } from '../../client/no-answer-error.ts';
import type { Command, CommandResult } from '../../command/command.ts';
import { cellOf } from '../../command/show.ts';
import { millisecondsOf } from '../../command/time-option.ts';

/** Milliseconds between two looks at a sandbox that is not ready. */
const BETWEEN_LOOKS_MS = 200;
/** Milliseconds that the last look may take, too: a sandbox that is up may be busy. */
const SHORTEST_LOOK_MS = 2000;

export const READINESS_COMMANDS: readonly Command[] = [
  {
    name: 'health',
    parameters: [],
    findsSandbox: true,
    options: [timeoutOption('how long to wait for an answer at most', 5)],
    help: 'check that the sandbox is running and can save changes; exit with 1 if not',
    run: (client, _parameters, { timeout = '5' }) => healthOf(client, millisecondsOf('--timeout', String(timeout))),
  },
  {
    name: 'wait',
    parameters: [],
    findsSandbox: true,
    options: [timeoutOption('how long to wait at most', 30)],
    help: 'wait until the sandbox is running and can save changes; exit with 1 on timeout',
    run: (client, _parameters, { timeout = '30' }) => waitFor(client, millisecondsOf('--timeout', String(timeout))),
  },
];

function timeoutOption(help: string, fallback: number): { flags: string; help: string } {
  return { flags: '--timeout <duration>', help: `${help}, in seconds or such as 1m (default ${fallback})` };
}

/** Rejects where there is no sandbox that answers within a few seconds. */
export async function expectSandbox(client: SandboxClient): Promise<void> {
  await look(client, 5000);
}

async function healthOf(client: SandboxClient, milliseconds: number): Promise<CommandResult> {
  const { health, isUp } = await look(client, milliseconds);
  const { status, version, reason } = health;
  const words = [status, version, reason].flatMap((each) => (each === undefined ? [] : [cellOf(each)]));
  return { data: health, text: words.join('  '), isFailure: !isUp };
}

interface Look {
  health: Record<string, unknown>;
  isUp: boolean;
}

/** A sandbox that does not keep changes says so in an answer of status 503. */
async function look(client: SandboxClient, milliseconds: number): Promise<Look> {
  const stop = new AbortController();
  const late = new Error(`${client.baseUrl} did not answer within ${secondsIn(milliseconds)}`);
  const cancel = afterMilliseconds(milliseconds, () => stop.abort(late));
  try {
    return { health: await client.health(stop.signal), isUp: true };
  } catch (error) {
    if (error instanceof ControlError && error.status === 503) {
      return { health: error.problem, isUp: false };
    }
    throw error;
  } finally {
    cancel();
  }
}

async function waitFor(client: SandboxClient, milliseconds: number): Promise<CommandResult> {
  const end = steadyNow() + milliseconds;
  for (;;) {
    const seen = await look(client, Math.max(end - steadyNow(), SHORTEST_LOOK_MS)).catch((error: Error) => error);
    if (isLook(seen) && seen.isUp) {
      return { data: seen.health, text: `${client.baseUrl} is ready` };
    }
    if (steadyNow() + BETWEEN_LOOKS_MS > end) {
      const why = isLook(seen) ? seen.health['reason'] : seen instanceof NoAnswerError ? 'no answer' : seen.message;
      throw new Error(`${client.baseUrl} was not ready within ${secondsIn(milliseconds)}: ${cellOf(why)}`);
    }
    await delay(BETWEEN_LOOKS_MS);
  }
}

function secondsIn(milliseconds: number): string {
  return plural(Math.round(milliseconds / 100) / 10, 'second');
}

function isLook(seen: Look | Error): seen is Look {
  return 'isUp' in seen;
}
