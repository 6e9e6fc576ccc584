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
import { createHttpForm, type HttpTemplates } from './http-adapter.ts';
import { loadModule } from './module-adapter.ts';
import { withEnvironment } from './placeholders.ts';
import { createProgramForm } from './program-adapter.ts';
import { type AdapterCall, type AdapterForm, type CallLimits, toAdapter } from './raw-adapter.ts';

const LIMITS: CallLimits = { callMs: 20_000, restartMs: 90_000 };

interface LoadOptions {
  app?: string | undefined;
  stateCommand?: string | undefined;
  limits?: CallLimits;
}

export interface LoadedAdapter {
  adapter: ShopAdapter;
  /** Stops every process that the adapter started. */
  close(): Promise<void>;
}

/**
 * Loads an adapter of any form: a module, or a JSON file with HTTP templates or the command of a program. `app` overrides the
 * address in the adapter, and is in the environment of an adapter that is code; `stateCommand` replaces its orderState. Throws
 * AdapterError.
 */
export async function loadAdapter(file: string, options: LoadOptions = {}): Promise<LoadedAdapter> {
  const { app, stateCommand, limits = LIMITS } = options;
  const readState = stateCommand === undefined ? undefined : createStateCommand(stateCommand);
  const form =
    extname(file) === '.json' ? await loadJson(file, app) : await loadModule(file, app, readState !== undefined);
  const ask: AdapterForm['ask'] = (call, signal) =>
    readState && call.call === 'orderState' ? readState(call.orderId ?? '') : form.ask(call, signal);
  return {
    adapter: { ...toAdapter({ ...form, ask }, limits), ...addressesOf(form, file, app), ...factsIn(form, file) },
    close: () => form.close(),
  };
}

async function loadJson(file: string, app: string | undefined): Promise<AdapterForm> {
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
  const { restart, ...others } = value as HttpAdapter | ProgramAdapter;
  const definition = restart === true ? others : value;
  try {
    const form =
      kind === 'program-adapter'
        ? createProgramForm(withEnvironment(definition as ProgramAdapter, ['app', 'webhookUrl']), dirname(file), app)
        : createHttpForm(withEnvironment(definition as HttpTemplates), app);
    return restart === true ? withRestart(form) : form;
  } catch (error) {
    throw error instanceof AdapterError ? new AdapterError(`${file} is not a valid adapter: ${error.message}`) : error;
  }
}

/** The form with a restart of the shop by its command. */
function withRestart(form: AdapterForm): AdapterForm {
  const restart = async ({ again }: AdapterCall) => {
    if (!again) {
      throw new AdapterError('"restart": true is for a shop that --command starts: name the request that restarts it');
    }
    await again();
  };
  return {
    ...form,
    calls: [...form.calls, 'restart'],
    ask: (call, signal) => (call.call === 'restart' ? restart(call) : form.ask(call, signal)),
  };
}

/** The facts about the shop that its adapter states. */
function factsIn({ patience, reopens }: AdapterForm, file: string): Pick<ShopAdapter, 'patienceMs' | 'reopens'> {
  const patienceMs = patience === undefined ? undefined : parseRealMilliseconds(patience);
  if (patience !== undefined && patienceMs === undefined) {
    throw new AdapterError(
      `${file} is not a valid adapter: patience must be a time such as "30s", not ${JSON.stringify(patience)}`,
    );
  }
  return { ...(patienceMs === undefined ? {} : { patienceMs }), ...(reopens === undefined ? {} : { reopens }) };
}

/** The shop's address, and the complete address of its receiver. */
function addressesOf(form: AdapterForm, file: string, override?: string): Pick<ShopAdapter, 'app' | 'webhookUrl'> {
  const app = override ?? form.app;
  if (app !== undefined && !parseUrl(app)) {
    throw new AdapterError(
      `the address of the shop must be a URL such as http://127.0.0.1:3000, not ${JSON.stringify(app)}`,
    );
  }
  const { webhookUrl } = form;
  const whole = webhookUrl === undefined ? undefined : parseUrl(webhookUrl, app);
  if (webhookUrl !== undefined && !whole) {
    throw new AdapterError(
      `${file} is not a valid adapter: webhookUrl ${JSON.stringify(webhookUrl)} is relative: set app to the address of the shop`,
    );
  }
  return { ...(app === undefined ? {} : { app }), ...(whole === undefined ? {} : { webhookUrl: whole.href }) };
}
