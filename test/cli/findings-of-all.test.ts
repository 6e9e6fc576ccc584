import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from '../run-command.ts';

const FINDING = { id: 'SBX-W12', name: 'empty-payer-name', meaning: 'a meaning', advice: 'an advice' };
const SEEN = { count: 2, expected: 'a name', received: 'none', calls: ['request-1', 'request-2'], records: [] };
/** Two pages of sessions; `gone` is deleted before its findings are read. */
const PAGES = [
  ['one', 'two', 'gone', 'three'],
  ['four', 'five', 'six', 'seven'],
];

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(`http://localhost${request.url}`);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname.endsWith('/health')) {
      return answer(200, { status: 'ok', version: '1.0.0' });
    }
    if (pathname.endsWith('/findings')) {
      return pathname.includes('/gone/')
        ? answer(404, { type: 'urn:merchant-sandbox:not-found', title: 'not-found' })
        : answer(200, { items: [{ ...FINDING, ...SEEN }], nextCursor: null });
    }
    const page = searchParams.get('cursor') === 'second' ? 1 : 0;
    const items = (PAGES[page] ?? []).map((name) => ({ name }));
    return answer(200, { items, nextCursor: page === 0 ? 'second' : null });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it('the findings of all sessions cover every page of sessions, omit deleted sessions, and name only the first five', async () => {
  const { stdout } = await runCommand(['findings', '--all-sessions', '--url', url]);
  expect(stdout.split('\n')).toEqual([
    'SBX-W12  empty-payer-name, seen 14 times, in 7 sessions',
    '  a meaning',
    ...['one', 'two', 'three', 'four', 'five'].map(
      (name) => `  ${name}: Expected a name, received none: request-1, request-2`,
    ),
    '  and in 2 more (listed by --json)',
    '  What to do: an advice',
    '',
  ]);
});

it('as JSON, the findings of all sessions are listed with each session', async () => {
  const { stdout } = await runCommand(['findings', '--all-sessions', '--json', '--url', url]);
  const sessions = PAGES.flat().filter((name) => name !== 'gone');
  expect(JSON.parse(stdout)).toEqual([
    { ...FINDING, count: 14, sessions: sessions.map((session) => ({ session, ...SEEN })) },
  ]);
});
