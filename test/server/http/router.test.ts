import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from '../../../src/base/refusal.ts';
import type { EntryPoint, HttpCall, Route } from '../../../src/server/http/entry-point.ts';
import { routerOf } from '../../../src/server/http/router.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const route = (method: Route['method'], path: string): Route => ({ method, path });

function sendJson(response: ServerResponse, content: object): void {
  response.end(JSON.stringify(content));
}

/** An entry point that answers with the matched route, and refuses with kind and message. */
function entryPoint(members: Partial<EntryPoint> & { table?: readonly Route[] } = {}): EntryPoint {
  const { table = [], ...others } = members;
  return {
    prefix: '',
    middleware: [],
    routes: () => table,
    serve: async ({ response, parameters, sessionName }, { method, path }) => {
      sendJson(response, { route: `${method} ${path}`, parameters, session: sessionName });
    },
    unmatched: async (_call, allow) => {
      throw new Refusal('unknown-path', String(allow));
    },
    refuse: async ({ kind, message }, { response }) => {
      sendJson(response, { kind, message });
    },
    ...others,
  };
}

async function startServer(entryPoints: EntryPoint[]) {
  const errors: unknown[] = [];
  const openSession = () => {
    throw new Refusal('too-many-sessions', 'full');
  };
  const server = createServer(
    routerOf(entryPoints, {
      findSession: () => undefined,
      openSession,
      baseOf: () => '',
      onError: (error) => errors.push(error),
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (method: string, path: string) => (await fetch(`${url}${path}`, { method })).json();
  return { ask, errors };
}

describe('an entry point', () => {
  it('prefers a fixed path to one with a parameter, regardless of their order in the table', async () => {
    const table = [route('GET', '/a/{id}'), route('GET', '/a/fixed'), route('POST', '/a/{id}')];
    const { ask } = await startServer([entryPoint({ table })]);
    expect(await ask('GET', '/a/fixed')).toMatchObject({ route: 'GET /a/fixed' });
    expect(await ask('GET', '/a/x%20y')).toMatchObject({ route: 'GET /a/{id}', parameters: { id: 'x y' } });
    expect(await ask('POST', '/a/fixed')).toMatchObject({ route: 'POST /a/{id}' });
  });

  it('lists each method of a path once, and nothing for an unknown path', async () => {
    const table = [route('GET', '/a/{id}'), route('GET', '/a/fixed'), route('POST', '/a/{id}')];
    const { ask } = await startServer([entryPoint({ table })]);
    expect(await ask('DELETE', '/a/fixed')).toMatchObject({ message: 'GET, POST' });
    expect(await ask('DELETE', '/b')).toMatchObject({ message: 'null' });
  });

  it('serves the new routes after its table has changed', async () => {
    let table = [route('GET', '/a')];
    const { ask } = await startServer([entryPoint({ routes: () => table })]);
    expect(await ask('GET', '/a')).toMatchObject({ route: 'GET /a' });
    table = [route('GET', '/b')];
    expect(await ask('GET', '/b')).toMatchObject({ route: 'GET /b' });
    expect(await ask('GET', '/a')).toMatchObject({ kind: 'unknown-path' });
  });

  it('refuses a call whose session cannot be opened, in its own form, with the matching route', async () => {
    const refused: HttpCall[] = [];
    const entry = entryPoint({
      table: [route('GET', '/a')],
      serve: async ({ openSession }) => {
        openSession();
      },
      refuse: async ({ kind }, call) => {
        refused.push(call);
        sendJson(call.response, { kind });
      },
    });
    const { ask, errors } = await startServer([entry]);
    expect(await ask('GET', '/a')).toEqual({ kind: 'too-many-sessions' });
    expect([refused[0]?.route, errors]).toEqual([route('GET', '/a'), []]);
  });

  it('reports a failure to the log, and not to the caller', async () => {
    const failure = new Error('an internal reason');
    const entry = entryPoint({ table: [route('GET', '/a')], serve: () => Promise.reject(failure) });
    const { ask, errors } = await startServer([entry]);
    expect(await ask('GET', '/a')).toEqual({
      kind: 'internal-error',
      message: 'the sandbox failed; its log says why',
    });
    expect(errors).toEqual([failure]);
  });

  it('closes the connection after a failure if an answer has begun, or if the refusal cannot be sent', async () => {
    const [late, again] = [new Error('late'), new Error('again')];
    const entry = entryPoint({
      table: [route('GET', '/begun'), route('GET', '/failing')],
      serve: async ({ response, path }) => {
        if (path === '/begun') {
          response.write('half');
          throw late;
        }
        throw new Refusal('conflict', 'no');
      },
      refuse: () => Promise.reject(again),
    });
    const { ask, errors } = await startServer([entry]);
    await expect(ask('GET', '/begun')).rejects.toThrow();
    await expect(ask('GET', '/failing')).rejects.toThrow();
    expect(errors).toEqual([late, again]);
  });
});

it('a request is handled by the first entry point whose prefix matches', async () => {
  const inner = entryPoint({ prefix: '/in', table: [route('GET', '/a')] });
  const outer = entryPoint({
    table: [route('GET', '/a'), route('GET', '/in/b'), route('GET', '/in'), route('GET', '/')],
  });
  const { ask } = await startServer([inner, outer]);
  expect(await ask('GET', '/s/mine/in/a')).toEqual({ route: 'GET /a', parameters: {}, session: 'mine' });
  expect(await ask('GET', '/in/b')).toMatchObject({ kind: 'unknown-path' });
  expect(await ask('GET', '/in')).toMatchObject({ kind: 'unknown-path' });
  expect(await ask('GET', '/a')).toMatchObject({ session: 'default' });
  expect(await ask('GET', '/')).toMatchObject({ name: 'merchant-sandbox' });
});
