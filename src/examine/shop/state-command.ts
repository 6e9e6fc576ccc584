import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';
import { AdapterError } from './adapter.ts';

const COMMAND_TIMEOUT_MS = 10_000;

/** Characters without a special meaning in shells, and in SQL within quotes. At the start, `#` would begin a comment of a shell. */
const SAFE_ORDER_ID = /^[\w.:@+/=-][\w.:@+/=#-]*$/;

/** Throws AdapterError. */
export type StateCommand = (orderId: string) => Promise<unknown>;

/**
 * `template` is a command for a shell, such as a query of the shop's database. It prints JSON, or the state, the number of fulfilments
 * and the amount, with the separators of psql, mysql or sqlite3. Throws AdapterError.
 */
export function createStateCommand(template: string): StateCommand {
  if (!/\{orderId\}|ORDER_ID/.test(template)) {
    throw new AdapterError(`--state-cmd must contain {orderId}, or read ORDER_ID from its environment: ${template}`);
  }
  return async (orderId) => {
    if (template.includes('{orderId}') && !SAFE_ORDER_ID.test(orderId)) {
      throw new AdapterError(
        `the order id ${JSON.stringify(orderId)} cannot be written into a command: use the variable ORDER_ID in --state-cmd`,
      );
    }
    const command = template.replaceAll('{orderId}', () => orderId);
    return parseState(await runCommand(command, { ORDER_ID: orderId }));
  };
}

/** Runs a command in a shell, and resolves with its output. Throws AdapterError if it fails. */
export async function runCommand(command: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  try {
    const env = { ...process.env, ...variables };
    return (await promisify(exec)(command, { timeout: COMMAND_TIMEOUT_MS, env })).stdout;
  } catch (error) {
    throw new AdapterError(messageOf(error));
  }
}

/** Null if the command printed null, or nothing, because no row was found. */
function parseState(output: string): unknown {
  const text = output.trim();
  if (text === '') {
    return null;
  }
  if (text.startsWith('{') || text === 'null') {
    const value = tryParseJson(text);
    return value === undefined ? text : value;
  }
  const columns = text.split(/[|\t]/).map((each) => each.trim());
  const [state, fulfilments = '', paidAmount = ''] = columns;
  // A column without a value is printed as nothing.
  return columns.length === 3 && /^\d+$/.test(fulfilments)
    ? { state, fulfilments: Number(fulfilments), paidAmount: paidAmount === '' ? null : paidAmount }
    : text;
}
