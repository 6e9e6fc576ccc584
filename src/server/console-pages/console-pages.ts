import { Refusal } from '../../base/refusal.ts';
import { REFUSAL_KINDS } from '../../base/refusal-kinds.ts';
import { redirect, sendContent, TEXT } from '../http/answers.ts';
import type { EntryPoint, HttpCall, Route } from '../http/entry-point.ts';
import { ASSETS } from './assets.ts';

interface ConsoleRoute extends Route {
  answer(call: HttpCall): Promise<void>;
}

const CONSOLE = '/_sandbox/console/';

/** Loaded when somebody opens the console, not with the sandbox. */
const shell = () => import('./shell.tsx');

const openScreen = async ({ path, response }: HttpCall) => (await shell()).sendShell(path, response);

const openFirstScreen = async ({ path, response }: HttpCall) =>
  redirect(response, path.endsWith('/') ? FIRST : `console/${FIRST}`);

/** A page that may be opened by an address with the token: what takes that for a cookie is the control API, which then leads back here. */
const letIn = (open: ConsoleRoute['answer']) => async (call: HttpCall) => {
  const { path, query, response } = call;
  const { token } = query;
  if (token === undefined) {
    await open(call);
  } else {
    const parameters = new URLSearchParams({ screen: path.slice(CONSOLE.length), token });
    redirect(response, `${'../'.repeat(path.split('/').length - 3) || './'}?${parameters}`);
  }
};

/** THE TABLE of what a browser fetches to run the console. It holds no data: that comes from the control API, with its guard. */
const ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/',
    answer: letIn(openFirstScreen),
  },
  {
    method: 'GET',
    path: '/assets/{name}',
    async answer() {
      throw new Refusal('unknown-path', 'the console has no such file');
    },
  },
  { method: 'GET', path: '/{screen}', answer: letIn(openScreen) },
  { method: 'GET', path: '/{screen}/{id}', answer: letIn(openScreen) },
];

/** The screen that the console opens with. */
const FIRST = 'overview';

/** ENTRY POINT: the browser that runs the console. Every address of it is the same page, which looks at the address itself. */
export function consolePages(): EntryPoint<ConsoleRoute> {
  return {
    prefix: '/_sandbox/console',
    before: [ASSETS],
    routes: () => ROUTES,
    serve: (call, route) => route.answer(call),
    async unmatched(_call, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', 'the console is opened by GET', { headers: { Allow: allow } });
      }
      throw new Refusal('unknown-path', 'the console has no such page');
    },
    async refuse({ kind, message, headers }, { response }) {
      sendContent(response, TEXT, `${message}\n`, { status: REFUSAL_KINDS[kind].status, headers });
    },
  };
}
