import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../base/errors.ts';
import { membersOf } from '../../base/members.ts';
import { AdapterError, APP_VARIABLE, OPTIONAL_CALLS } from '../shop/adapter.ts';
import type { AdapterCall, RawAdapter } from './raw-adapter.ts';

const REQUIRED_EXPORTS = ['placeOrder', 'orderState'] as const;
const TEXT_EXPORTS = ['app', 'webhookUrl', 'patience'] as const;

/**
 * The build turns `import()` into `require()`, which rejects modules with a top-level await. The source is unique because V8
 * caches functions by their source across contexts, and a cached one would import into a context that has ended.
 */
const importModule = new Function('address', `return import(address); // ${randomUUID()}`) as (
  address: string,
) => Promise<Record<string, unknown>>;

/**
 * Until the adapter is closed, `app` is in the environment, where the functions of the module may read it. The module may
 * lack orderState if a command reads the state. Throws AdapterError.
 */
export async function loadModule(file: string, app: string | undefined, hasStateCommand = false): Promise<RawAdapter> {
  if (app === undefined) {
    return importAdapter(file, hasStateCommand);
  }
  process.env[APP_VARIABLE] = app;
  const close = async () => {
    delete process.env[APP_VARIABLE];
  };
  try {
    return { ...(await importAdapter(file, hasStateCommand)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function importAdapter(file: string, hasStateCommand: boolean): Promise<RawAdapter> {
  if (!existsSync(file)) {
    throw new AdapterError(`${file} cannot be loaded: there is no such file`);
  }
  let module: Record<string, unknown>;
  try {
    module = await importModule(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new AdapterError(`${file} cannot be loaded: ${messageOf(error)}`);
  }
  // The exports of a CommonJS module are all in `default`, but not all of them are named exports.
  const exported = { ...membersOf(module['default']), ...module };
  const problems = problemsOf(exported, hasStateCommand ? ['placeOrder'] : REQUIRED_EXPORTS);
  if (problems.length > 0) {
    throw new AdapterError(`${file} is not a valid adapter: ${problems.join('; ')}`);
  }
  const textOf = (name: string) => (typeof exported[name] === 'string' ? exported[name] : undefined);
  return {
    app: textOf('app'),
    webhookUrl: textOf('webhookUrl'),
    patience: textOf('patience'),
    reopens: typeof exported['reopens'] === 'boolean' ? exported['reopens'] : undefined,
    calls: OPTIONAL_CALLS.filter((name) => exported[name] !== undefined),
    ask: async (call, signal) => run(exported, call, signal),
    close: async () => undefined,
  };
}

function problemsOf(exported: Record<string, unknown>, required: readonly string[]): string[] {
  return [
    ...required
      .filter((name) => typeof exported[name] !== 'function')
      .map((name) => `it must export a function ${name}`),
    ...OPTIONAL_CALLS.filter((name) => exported[name] !== undefined && typeof exported[name] !== 'function').map(
      (name) => `${name} must be a function`,
    ),
    ...TEXT_EXPORTS.filter((name) => exported[name] !== undefined && typeof exported[name] !== 'string').map(
      (name) => `${name} must be a string`,
    ),
    ...(['undefined', 'boolean'].includes(typeof exported['reopens']) ? [] : ['reopens must be true or false']),
  ];
}

function run(exported: Record<string, unknown>, call: AdapterCall, signal: AbortSignal): unknown {
  const { name, order, orderId, again, url, channel, minutes } = call;
  const implementation = exported[name];
  if (typeof implementation !== 'function') {
    throw new AdapterError(`${name} is no longer a function`);
  }
  const options: Partial<Record<AdapterCall['name'], object>> = {
    returnFromPayment: { url, signal },
    payAgain: { channel, signal },
    backdate: { minutes },
  };
  const subject = order ? { ...order, signal } : orderId;
  return Reflect.apply(implementation, exported, name === 'restart' ? [again] : [subject, options[name]]);
}
