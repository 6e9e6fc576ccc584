import { dirname, extname } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { isMembers } from '../../base/members.ts';
import type { HttpAdapter, ProgramAdapter } from '../../base/schema/generated/adapters.ts';
import { sentenceOf } from '../../base/schema/json-line.ts';
import { validate } from '../../base/schema/validation.ts';
import { parseUrl } from '../../base/text/url.ts';
import { parseRealMilliseconds } from '../../base/time.ts';
import { parseJsonText, readText } from '../../base/written-file.ts';
import { AdapterError, type ShopAdapter } from '../shop/adapter.ts';
import { createStateCommand } from '../shop/state-command.ts';
import { createHttpAdapter, type HttpTemplates } from './http-adapter.ts';
import { loadModule } from './module-adapter.ts';
import { withEnvironment } from './placeholders.ts';
import { createProgramAdapter } from './program-adapter.ts';
import { type AdapterCall, type CallLimits, type RawAdapter, toShopAdapter } from './raw-adapter.ts';

const LIMITS: CallLimits = { callMs: 20_000, restartMs: 90_000 };

interface LoadOptions {
  app?: string | undefined;
  stateCommand?: string | undefined;
  limits?: CallLimits;
}

export interface LoadedAdapter {
  adapter: ShopAdapter;
  /** Stops the program, if the adapter is one, and removes the address from the environment. */
  close(): Promise<void>;
}

/**
 * Loads an adapter: a module, or a JSON file with HTTP templates or the command of a program. `app` overrides the address in it, and is
 * in the environment of a module or program; `stateCommand` replaces its orderState. Throws AdapterError.
 */
export async function loadAdapter(file: string, options: LoadOptions = {}): Promise<LoadedAdapter> {
  const { app, stateCommand, limits = LIMITS } = options;
  const readState = stateCommand === undefined ? undefined : createStateCommand(stateCommand);
  const raw =
    extname(file) === '.json' ? await loadJson(file, app) : await loadModule(file, app, readState !== undefined);
  const ask: RawAdapter['ask'] = (call, signal) =>
    readState && call.name === 'orderState' ? readState(call.orderId ?? '') : raw.ask(call, signal);
  return {
    adapter: { ...toShopAdapter({ ...raw, ask }, limits), ...addressesOf(raw, file, app), ...factsIn(raw, file) },
    close: () => raw.close(),
  };
}

async function loadJson(file: string, app: string | undefined): Promise<RawAdapter> {
  let text: string;
  let value: unknown;
  try {
    text = readText(file);
    value = parseJsonText(text);
  } catch (error) {
    throw new AdapterError(`${file} cannot be loaded: it ${messageOf(error)}`);
  }
  const kind = isMembers(value) && 'program' in value ? 'program-adapter' : 'http-adapter';
  const findings = await validate(`adapters/${kind}`, value);
  if (findings.length > 0) {
    throw new AdapterError(
      `${file} is not a valid adapter: ${findings.map((finding) => sentenceOf(finding, text)).join('; ')}`,
    );
  }
  const { restart, ...withoutRestart } = value as HttpAdapter | ProgramAdapter;
  const definition = restart === true ? withoutRestart : value;
  try {
    // A program reads its environment itself; only the addresses are needed here.
    const raw =
      kind === 'program-adapter'
        ? createProgramAdapter(withEnvironment(definition as ProgramAdapter, ['app', 'webhookUrl']), dirname(file), app)
        : createHttpAdapter(withEnvironment(definition as HttpTemplates), app);
    return restart === true ? withRestart(raw) : raw;
  } catch (error) {
    throw error instanceof AdapterError ? new AdapterError(`${file} is not a valid adapter: ${error.message}`) : error;
  }
}

/** For `"restart": true`. */
function withRestart(raw: RawAdapter): RawAdapter {
  const restart = async ({ again }: AdapterCall) => {
    if (!again) {
      throw new AdapterError('"restart": true is for a shop that --command starts: name the request that restarts it');
    }
    await again();
  };
  return {
    ...raw,
    calls: [...raw.calls, 'restart'],
    ask: (call, signal) => (call.name === 'restart' ? restart(call) : raw.ask(call, signal)),
  };
}

function factsIn({ patience, reopens }: RawAdapter, file: string): Pick<ShopAdapter, 'patienceMs' | 'reopens'> {
  const patienceMs = patience === undefined ? undefined : parseRealMilliseconds(patience);
  if (patience !== undefined && patienceMs === undefined) {
    throw new AdapterError(
      `${file} is not a valid adapter: patience must be a time such as "30s", not ${JSON.stringify(patience)}`,
    );
  }
  return { ...(patienceMs === undefined ? {} : { patienceMs }), ...(reopens === undefined ? {} : { reopens }) };
}

function addressesOf(raw: RawAdapter, file: string, app = raw.app): Pick<ShopAdapter, 'app' | 'webhookUrl'> {
  if (app !== undefined && !parseUrl(app)) {
    throw new AdapterError(
      `the address of the shop must be a URL such as http://127.0.0.1:3000, not ${JSON.stringify(app)}`,
    );
  }
  const { webhookUrl } = raw;
  const fullUrl = webhookUrl === undefined ? undefined : parseUrl(webhookUrl, app);
  if (webhookUrl !== undefined && !fullUrl) {
    throw new AdapterError(
      `${file} is not a valid adapter: webhookUrl ${JSON.stringify(webhookUrl)} is relative: set app to the address of the shop`,
    );
  }
  return { ...(app === undefined ? {} : { app }), ...(fullUrl === undefined ? {} : { webhookUrl: fullUrl.href }) };
}
