import { Refusal } from '../../base/refusal.ts';
import { REFUSAL_KINDS } from '../../base/refusal-kinds.ts';
import { redirect, sendContent, TEXT_TYPE } from '../http/answers.ts';
import type { EntryPoint, HttpCall, Route } from '../http/entry-point.ts';
import { ASSETS } from './assets.ts';

interface ConsoleRoute extends Route {
  answer(call: HttpCall): Promise<void>;
}

const CONSOLE_PATH = '/_sandbox/console/';

/** Loaded on demand, because loading the renderer would slow down the start of the sandbox. */
const loadShell = () => import('./shell.tsx');

const openScreen = async ({ path, response }: HttpCall) => (await loadShell()).sendShell(path, response);

const openFirstScreen = async ({ path, response }: HttpCall) =>
  redirect(response, path.endsWith('/') ? FIRST_SCREEN : `console/${FIRST_SCREEN}`);

/** Redirects an address with the token to the control API, which exchanges the token for a cookie and redirects back to the screen. */
const withTokenExchange = (open: ConsoleRoute['answer']) => async (call: HttpCall) => {
  const { path, query, response } = call;
  const { token } = query;
  if (token === undefined) {
    await open(call);
  } else {
    const parameters = new URLSearchParams({ screen: path.slice(CONSOLE_PATH.length), token });
    const pathToControlApi = '../'.repeat(path.split('/').length - 3) || './';
    redirect(response, `${pathToControlApi}?${parameters}`);
  }
};

/** THE TABLE of the console's pages, which contain no data. Without the row of assets, a missing file would be answered with a page. */
const ROUTES: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/', answer: withTokenExchange(openFirstScreen) },
  {
    method: 'GET',
    path: '/assets/{name}',
    async answer() {
      throw new Refusal('unknown-path', 'the console has no such file');
    },
  },
  { method: 'GET', path: '/{screen}', answer: withTokenExchange(openScreen) },
  { method: 'GET', path: '/{screen}/{id}', answer: withTokenExchange(openScreen) },
];

const FIRST_SCREEN = 'overview';

/** ENTRY POINT for the browser that runs the console. All screens are the same page, whose script reads the address. */
export function consolePages(): EntryPoint<ConsoleRoute> {
  return {
    prefix: '/_sandbox/console',
    middleware: [ASSETS],
    routes: () => ROUTES,
    serve: (call, route) => route.answer(call),
    async unmatched(_call, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', 'the console is opened by GET', { headers: { Allow: allow } });
      }
      throw new Refusal('unknown-path', 'the console has no such page');
    },
    async refuse({ kind, message, headers }, { response }) {
      sendContent(response, TEXT_TYPE, `${message}\n`, { status: REFUSAL_KINDS[kind].status, headers });
    },
  };
}
