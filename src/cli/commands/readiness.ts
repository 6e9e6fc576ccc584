import { plural } from '../../base/text/plural.ts';
import { afterMilliseconds, delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { NoAnswerError } from '../../client/no-answer-error.ts';
import type { Command, CommandResult } from '../../command/command.ts';
import { cellOf } from '../../command/show.ts';
import { parseMilliseconds } from '../../command/time-option.ts';

const CHECK_INTERVAL_MS = 200;
/** The minimum time limit of a check by `wait`, also of the last one, because a sandbox that is ready may be busy. */
const MIN_TIMEOUT_MS = 2000;

export const READINESS_COMMANDS: readonly Command[] = [
  {
    name: 'health',
    parameters: [],
    skipsSandboxCheck: true,
    options: [timeoutOption('maximum time to wait for an answer', 5)],
    help: 'check that the sandbox is running and can save changes; exit with 1 if not',
    run: (client, _args, { timeout = '5' }) => checkHealth(client, parseMilliseconds('--timeout', String(timeout))),
  },
  {
    name: 'wait',
    parameters: [],
    skipsSandboxCheck: true,
    options: [timeoutOption('maximum time to wait', 30)],
    help: 'wait until the sandbox is running and can save changes; exit with 1 on timeout',
    run: (client, _args, { timeout = '30' }) => awaitReady(client, parseMilliseconds('--timeout', String(timeout))),
  },
];

function timeoutOption(help: string, fallback: number): { flags: string; help: string } {
  return { flags: '--timeout <duration>', help: `${help}, in seconds or such as 1m (default ${fallback})` };
}

/** Rejects if no sandbox answers within five seconds; one that cannot save changes is accepted. */
export async function assertSandboxRuns(client: SandboxClient): Promise<void> {
  await checkReadiness(client, 5000);
}

async function checkHealth(client: SandboxClient, milliseconds: number): Promise<CommandResult> {
  const { health, isReady } = await checkReadiness(client, milliseconds);
  const { status, version, reason } = health;
  const cells = [status, version, reason].flatMap((each) => (each === undefined ? [] : [cellOf(each)]));
  return { data: health, text: cells.join('  '), isFailure: !isReady };
}

interface Readiness {
  health: Record<string, unknown>;
  isReady: boolean;
}

/** Calls the sandbox once. One that cannot save changes answers with status 503. */
async function checkReadiness(client: SandboxClient, milliseconds: number): Promise<Readiness> {
  const stop = new AbortController();
  const timeoutError = new Error(`${client.baseUrl} did not answer within ${describeSeconds(milliseconds)}`);
  const cancel = afterMilliseconds(milliseconds, () => stop.abort(timeoutError));
  try {
    return { health: await client.health(stop.signal), isReady: true };
  } catch (error) {
    if (error instanceof ControlError && error.status === 503) {
      return { health: error.problem, isReady: false };
    }
    throw error;
  } finally {
    cancel();
  }
}

async function awaitReady(client: SandboxClient, milliseconds: number): Promise<CommandResult> {
  const end = steadyNow() + milliseconds;
  for (;;) {
    const timeoutMs = Math.max(end - steadyNow(), MIN_TIMEOUT_MS);
    const result = await checkReadiness(client, timeoutMs).catch((error: Error) => error);
    if ('isReady' in result && result.isReady) {
      return { data: result.health, text: `${client.baseUrl} is ready` };
    }
    if (steadyNow() + CHECK_INTERVAL_MS > end) {
      const reason = 'isReady' in result ? result.health['reason'] : result.message;
      const text = result instanceof NoAnswerError ? 'no answer' : cellOf(reason);
      throw new Error(`${client.baseUrl} was not ready within ${describeSeconds(milliseconds)}: ${text}`);
    }
    await delay(CHECK_INTERVAL_MS);
  }
}

function describeSeconds(milliseconds: number): string {
  return plural(Math.round(milliseconds / 100) / 10, 'second');
}
