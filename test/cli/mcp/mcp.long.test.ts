import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { examinationToolsOf } from '../../../src/cli/mcp/examination-tools.ts';
import { historyToolsOf } from '../../../src/cli/mcp/history-tools.ts';
import { LONGEST_MESSAGE } from '../../../src/cli/mcp/messages.ts';
import { toolsOf } from '../../../src/cli/mcp/tools.ts';
import { SandboxClient } from '../../../src/client/client.ts';
import { readBundle } from '../../../src/server/histories/bundle.ts';
import { exampleOf } from '../../interface/examples.ts';
import { freePort, spawnProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const folderOf = temporaryFolders();

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
});
afterAll(() => sandbox.close());

/** An agent that has started the command, and talks with it as the protocol of 2025 has it. */
async function agent(...args: string[]) {
  const child = spawnProgram(['mcp', ...args], {}, 'pipe');
  const [{ stdin, stdout }, lines] = [child, [] as string[]];
  if (!stdin || !stdout) {
    throw new Error('there is nothing to talk through');
  }
  const reader = createInterface(stdout);
  reader.on('line', (line) => lines.push(line));
  let calls = 0;
  const ask = async (method: string, params: object) => {
    calls += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: calls, method, params })}\n`);
    for (;;) {
      await once(reader, 'line');
      const answer = lines.map((line) => JSON.parse(line)).find(({ id }) => id === calls);
      if (answer) {
        expect(answer).toMatchObject({ jsonrpc: '2.0' });
        return answer.result;
      }
    }
  };
  const clientInfo = { name: 'an-agent', version: '1' };
  const welcome = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    welcome,
    tools: async () => (await ask('tools/list', {})).tools,
    /** Other messages of the command, such as progress. */
    notices: () => lines.map((line) => JSON.parse(line)).filter(({ id }) => id === undefined),
    async use(name: string, given: object = {}, _meta: object = {}) {
      const { content, isError } = await ask('tools/call', { name, arguments: given, _meta });
      return { isError, text: String(content[0].text) };
    },
    async leave() {
      const ended = once(child, 'close');
      stdin.end();
      return (await ended)[0];
    },
  };
}

const payFor = (payerReference: string, baseUrl: string) =>
  fetch(`${baseUrl}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('requests/single-payment', { payerReference })),
  });

it('an agent can list the calls, settle payments, move the clock and reset', async () => {
  const session = sandbox.session('agent');
  const { welcome, use, leave } = await agent('--url', sandbox.url, '--session', 'agent');
  expect(welcome).toMatchObject({ serverInfo: { name: 'merchant-sandbox' }, capabilities: { tools: {} } });
  await payFor('ORDER-1', session.baseUrl);
  await payFor('ORDER-2', session.baseUrl);
  const requests = JSON.parse((await use('list_requests', { limit: 1 })).text);
  expect(requests.items).toMatchObject([{ operation: 'initiatePayment', reference: 'ORDER-2' }]);
  expect(JSON.parse((await use('settle_payment', { id: 'ORDER-1', outcome: 'Paid' })).text)).toMatchObject({
    state: 'Paid',
  });
  await use('advance_clock', { by: 'PT15M' });
  expect((await session.paymentByReference('ORDER-2')).state).toBe('Expired');
  await use('reset');
  expect((await session.payments()).items).toEqual([]);
  expect(await leave()).toBe(0);
});

it('an agent can fork a session, compare the two, and write its history to a file', async () => {
  const session = sandbox.session('forking');
  const { use, leave } = await agent('--url', sandbox.url, '--session', 'forking');
  await payFor('ORDER-1', session.baseUrl);
  const fork = JSON.parse((await use('fork_session', { name: 'forking', at: 'request-1', as: 'forked' })).text);
  expect(fork.forkedFrom).toEqual({ session: 'forking', at: 'request-1' });
  await payFor('ORDER-2', session.baseUrl);
  const diff = JSON.parse((await use('diff_sessions', { one: 'forking', other: 'forked' })).text);
  expect(diff.difference).toMatchObject({ step: 'request-2', is: 'nothing' });
  const file = join(folderOf(), 'bug.ndjson');
  expect(JSON.parse((await use('write_bundle', { file })).text)).toMatchObject({
    session: 'forking',
    cutBecause: null,
  });
  expect((await readBundle(readFileSync(file, 'utf8'))).entries.filter(({ kind }) => kind === 'call')).toHaveLength(2);
  expect(await use('write_bundle', {})).toEqual({ isError: true, text: 'write_bundle needs file' });
  await leave();
});

it('an agent can list unseen behaviour, from the running sandbox or from files', async () => {
  const { use, leave } = await agent('--url', sandbox.url);
  const unseen = (await use('list_unseen_behaviours')).text;
  expect(unseen).toContain('Coverage is not correctness');
  expect(unseen).toContain("await session.settle(reference, 'Failed', '55');");
  const { isError, text } = await use('list_unseen_behaviours', { folder: folderOf() });
  expect([isError, text]).toEqual([true, expect.stringContaining('there is no coverage in')]);
  await leave();
});

it('an agent can examine a receiver, with a short result and with progress', async () => {
  // It takes whatever comes.
  const orders = new Map<string, { state: string; fulfilments: number; paidAmount: string }>();
  const receiver = createServer(async (request, response) => {
    const { method, url = '' } = request;
    if (method === 'GET') {
      response.writeHead(orders.has(url) ? 200 : 404).end(JSON.stringify(orders.get(url)));
      return;
    }
    const { paymentReference, status } = JSON.parse(await text(request));
    const fulfilments = status === 'Paid' ? 1 : 0;
    orders.set(`/${paymentReference}`, { state: status, fulfilments, paidAmount: fulfilments > 0 ? '10.00' : '0.00' });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const { use, notices, leave } = await agent('--url', sandbox.url);
  const only = 'forged-unsigned,mobile-money';
  const given = { webhookUrl: address, check: `${address}/{reference}`, amount: '10.00', only, budget: '1ms' };
  const graded = await use('probe_receiver', { ...given, bundles: folderOf() }, { progressToken: 'probe' });
  const { counts, violated } = JSON.parse(graded.text);
  expect(counts.violated).toBeGreaterThan(0);
  expect(violated.at(-1)).toMatchObject({ id: 'I7', mend: expect.stringContaining('Verify the signature'), times: 1 });
  expect(violated.at(-1).story.join('\n')).toContain(
    'Forged notification payment.paid (unsigned)): receiver answered 200',
  );
  expect(graded.text.length).toBeLessThan(8000);
  expect(notices()).toContainEqual({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'probe', progress: 1, message: 'checking whether the receiver acknowledges' },
  });
  expect(await use('probe_receiver', { webhookUrl: 'nowhere' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('the receiver must be a URL'),
  });
  receiver.close();
  await leave();
});

it('an agent can grade a shop that the server starts', async () => {
  const { use, leave } = await agent('--url', 'http://127.0.0.1:9');
  const port = await freePort();
  const command = `PORT=${port} "${process.execPath}" scripts/examine-shops/shop/shop.mjs`;
  const given = { adapter: 'scripts/examine-shops/shop/examine.mjs', command, app: `http://127.0.0.1:${port}` };
  const graded = await use('examine_shop', { ...given, only: 'paid,mobile-money', budget: '1ms' });
  expect(JSON.parse(graded.text)).toMatchObject({ counts: { violated: 0 }, violated: [] });
  await leave();
});

it('a refusal of the sandbox is returned in full, as a failed tool call', async () => {
  const { use, leave } = await agent('--url', sandbox.url);
  const refused = await use('settle_payment', { id: 'payment-9', outcome: 'Lost' });
  expect([refused.isError, JSON.parse(refused.text).findings]).toEqual([
    true,
    [expect.objectContaining({ path: '$.outcome', received: 'string "Lost"' })],
  ]);
  await payFor('ORDER-1', sandbox.url);
  const unmet = await use('verify_requests', { match: { operation: 'initiatePayment', status: 500 } });
  expect(JSON.parse(unmet.text).nearest[0].differences).toEqual([{ path: 'status', expected: 500, received: 200 }]);
  expect(await use('reset', { everything: true })).toEqual({
    isError: true,
    text: 'reset takes no everything; it takes session',
  });
  expect(await use('get_request')).toEqual({ isError: true, text: 'getRequest needs id' });
  expect((await use('list_payments', { limit: 51 })).text).toBe(
    'limit is at most 50 here; use nextCursor to get the next page',
  );
  expect((await use('refund')).text).toMatch(/^there is no tool refund; the tools are list_requests, /);
  expect((await use('list_payments', { session: 'gone' })).text).toContain('there is no session \\"gone\\"');
  await leave();
});

it('all requests that arrived before the end of the input are answered', async () => {
  const child = spawnProgram(['mcp', '--url', sandbox.url], {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const clientInfo = { name: 'a-script', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'get_clock', arguments: {} } },
  ];
  child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  expect((await once(child, 'close'))[0]).toBe(0);
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
});

describe('a line that is not a message', () => {
  const ask = JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' });

  /** The answers of the command to the lines, and to a valid one after them. */
  async function answersTo(...lines: string[]): Promise<{ id: unknown; error?: { code: number; message: string } }[]> {
    const child = spawnProgram(['mcp', '--url', sandbox.url], {}, 'pipe');
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    const ended = once(child, 'close');
    child.stdin?.end([...lines, ask, ''].join('\n'));
    expect((await ended)[0]).toBe(0);
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('is answered with an error of JSON-RPC, and later messages are answered, too', async () => {
    const nested = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const table: [string, number, unknown][] = [
      ['{"jsonrpc"', -32_700, null],
      ['nonsense', -32_700, null],
      [`{"a":"${'x'.repeat(LONGEST_MESSAGE)}"}`, -32_600, null],
      ['[]', -32_600, null],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
      ['null', -32_600, null],
      ['7', -32_600, null],
      ['"text"', -32_600, null],
      ['{}', -32_600, null],
      ['{"id":5,"method":"ping"}', -32_600, 5],
      ['{"jsonrpc":"1.0","id":6,"method":"ping"}', -32_600, 6],
      ['{"jsonrpc":"2.0","id":"seven"}', -32_600, 'seven'],
      ['{"jsonrpc":"2.0","id":8,"method":9}', -32_600, 8],
      ['{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', -32_600, null],
      ['{"jsonrpc":"2.0","id":10,"method":"ping","params":"text"}', -32_600, 10],
      [`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":${nested('{"a":', '}')}}`, -32_600, 11],
      [`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"a":${nested('[', ']')}}}`, -32_600, 12],
    ];
    const answers = await answersTo(...table.map(([line]) => line), '', '   ');
    const errors = answers.slice(0, table.length).map(({ id, error }) => [error?.code, id]);
    expect(errors).toEqual(table.map(([, code, id]) => [code, id]));
    expect(answers[2]?.error?.message).toContain('1,048,584 bytes');
    expect(answers.slice(table.length).map(({ id }) => id)).toEqual(['last']);
  });
});

it('an agent is told if no sandbox is running or the control token is missing', async () => {
  const away = await agent('--url', 'http://127.0.0.1:9');
  expect(await away.use('get_clock')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^no sandbox answers at http:\/\/127\.0\.0\.1:9; start one/),
  });
  await away.leave();
  const open = await startSandbox({ host: '0.0.0.0', controlToken: 'secret-of-the-test' });
  const { url } = open;
  const stranger = await agent('--url', url);
  expect((await stranger.use('get_clock')).text).toContain('--control-token');
  await stranger.leave();
  const friend = await agent('--url', url, '--control-token', 'secret-of-the-test');
  expect((await friend.use('get_clock')).isError).toBe(false);
  await friend.leave();
  await open.close();
});

describe('the tools', () => {
  const nowhere = new SandboxClient({ url: 'http://127.0.0.1:9' });
  const tools = [...toolsOf(nowhere), ...historyToolsOf(nowhere), ...examinationToolsOf(nowhere)];

  it.each(tools)('$name describes its input by a complete schema', ({ inputSchema, title, description }) => {
    expect(JSON.stringify(inputSchema)).not.toContain('$ref');
    expect(() =>
      new Ajv2020({ strict: false, formats: { instant: true, duration: true } }).compile(inputSchema),
    ).not.toThrow();
    expect(inputSchema.required.every((name) => Object.hasOwn(inputSchema.properties, name))).toBe(true);
    expect([title, description]).not.toContain('');
  });

  it('are marked as read-only, as destructive, or as calling other programs', () => {
    const named = (isSuch: (tool: (typeof tools)[number]) => boolean) => tools.filter(isSuch).map(({ name }) => name);
    expect(named(({ annotations }) => !annotations.readOnlyHint)).toEqual([
      'settle_payment',
      'add_adjustment',
      'settle_payout',
      'settle_credit',
      'replay_delivery',
      'resume_endpoint',
      'choose_scenario',
      'choose_behaviour',
      'advance_clock',
      'run_until_idle',
      'fork_session',
      'reset',
      'write_bundle',
      'examine_shop',
      'probe_receiver',
    ]);
    expect(named(({ annotations }) => annotations.destructiveHint)).toEqual([
      'reset',
      'write_bundle',
      'examine_shop',
      'probe_receiver',
    ]);
    expect(named(({ annotations }) => annotations.openWorldHint)).toEqual(['examine_shop', 'probe_receiver']);
  });
});
