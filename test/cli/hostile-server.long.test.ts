// Any server may be at an address, so control characters in its answers must not reach a terminal.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadSchema } from '../../src/base/schema/load-schema.ts';
import { COMMANDS } from '../../src/cli/commands/commands.ts';
import { explainError } from '../../src/cli/commands/explain-error.ts';
import { SandboxClient } from '../../src/client/client.ts';
import { show } from '../../src/command/show.ts';
import { CONTROL_OPERATIONS } from '../../src/server/control-api/operations.ts';

/** Clears the screen, sets the window title, reverses the following text, and begins a forged line. */
const EVIL = '\u001b]0;pwned\u0007\u001b[2Jred\u009b31m\u202e\u2028end\r\nforged line';
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^forged/mu;

function membersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const names = 'properties' in value ? Object.keys(value.properties as object) : [];
  return [...names, ...Object.values(value).flatMap(membersOf)];
}
/** The names of all members in the schemas of answers. */
const NAMES = [
  ...new Set(
    CONTROL_OPERATIONS.flatMap(({ response }) => (response?.schema ? membersOf(loadSchema(response.schema)) : [])),
  ),
];

/** Members that commands read as lists. */
const LISTS = new Set([
  'items',
  'attempts',
  'credits',
  'history',
  'findings',
  'events',
  'postings',
  'happened',
  'differences',
  'entries',
]);

function answerOf(depth: number): Record<string, unknown> {
  const inner = depth === 0 ? {} : answerOf(depth - 1);
  const lists = depth === 2 ? LISTS : ['history', 'findings', 'events'];
  return {
    ...Object.fromEntries([...NAMES, 'version', 'reason', 'detail', 'title'].map((name) => [name, EVIL])),
    [EVIL]: EVIL,
    ...Object.fromEntries([...LISTS].map((name) => [name, []])),
    ...Object.fromEntries([...lists].map((name) => [name, depth === 0 ? [] : [inner]])),
    ...(depth === 2
      ? { data: inner, answer: { ...inner, status: EVIL, headers: inner, body: EVIL }, totals: inner }
      : { answer: null }),
    query: { [EVIL]: EVIL },
    headers: { [EVIL]: EVIL },
    body: { [EVIL]: EVIL },
    nextCursor: EVIL,
  };
}

let server: Server;
/** Counts requests for a stream: the second one is refused, so that commands that follow it end. */
let streamCount = 0;
let answer: { status: number; body: unknown };
beforeAll(async () => {
  server = createServer((request, response) => {
    streamCount += request.url?.includes('/events') ? 1 : 0;
    if (request.url?.includes('/events') && streamCount === 1) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const events = [answer.body, { ...(answer.body as object), type: 'request.answered' }];
      response.end(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
    } else {
      response
        .writeHead(streamCount > 0 ? 400 : answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const args = ['record-1', 'Paid', '10.00'];
/** Each command with its arguments, from none to all. */
const uses = COMMANDS.filter(({ name }) => name !== 'mcp').flatMap(({ name, parameters, options = [] }) => [
  ...parameters.map((_, index) => [name, args.slice(0, index + 1)] as const),
  [name, []] as const,
  ...options.filter(({ flags }) => flags === '--follow').map(() => [name, ['--follow']] as const),
]);
const clockWords: Record<string, readonly string[]> = {
  'clock record-1': ['idle'],
  'clock record-1 Paid': ['advance', 'P1D'],
};
const furtherUses = [
  ...['accounts', 'entries', 'check'].map((part) => ['ledger', [part]] as const),
  ['requests', ['limit=1']] as const,
  ['payments', ['limit=1']] as const,
  ['events', ['0']] as const,
  ['settle-payout', ['payout-1', 'Paid']] as const,
];

describe.each([
  ['answers successfully', 200, answerOf(2)],
  ['answers with a real clock', 200, { ...answerOf(2), mode: 'real', ahead: EVIL, more: EVIL, balanced: true }],
  ['answers with a ledger that does not balance', 200, { ...answerOf(2), balanced: false, more: EVIL }],
  ['refuses calls', 400, answerOf(1)],
  ['is not ready', 503, { ...answerOf(1), balanced: false }],
])('if a server %s,', (_title, status, body) => {
  it.each([...uses, ...furtherUses])(
    'the command %s %j prints nothing that acts in a terminal',
    async (name, parameters) => {
      [answer, streamCount] = [{ status, body }, 0];
      const written: string[] = [];
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const command = COMMANDS.find((each) => each.name === name);
      const words: readonly string[] = parameters;
      const isFollowed = words.includes('--follow');
      const actualWords = clockWords[`${name} ${words.join(' ')}`] ?? words.filter((each) => each !== '--follow');
      try {
        for (const asJson of [true, false]) {
          streamCount = 0;
          const options = { timeout: '0', follow: isFollowed, isUrlGiven: true };
          const shown = await command?.run(new SandboxClient({ url }), actualWords, options);
          await show(shown, asJson, (text) => written.push(text));
        }
      } catch (error) {
        written.push(explainError(error as Error, { url, controlToken: undefined }));
      }
      expect(written.length).toBeGreaterThan(0);
      expect(written.join('\n')).not.toMatch(UNSAFE);
    },
  );
});
