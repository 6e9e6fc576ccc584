import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { MAX_MESSAGE_BYTES } from '../../../src/cli/mcp/messages.ts';
import type { Tool } from '../../../src/cli/mcp/tool.ts';
import { TOOLS } from '../../../src/cli/mcp/tools.ts';
import { exampleOf } from '../../interface/examples.ts';
import { freePort, spawnProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
});
afterAll(() => sandbox.close());

/** A revision of the protocol with a handshake, and the first without one. */
const REVISIONS = ['2025-06-18', '2026-07-28'] as const;
type Revision = (typeof REVISIONS)[number];
const WITH_HANDSHAKE: Revision = '2025-06-18';

/** The metadata that every request of a revision without a handshake contains. */
const requiredMetaOf = (revision: Revision) =>
  revision === WITH_HANDSHAKE
    ? {}
    : {
        'io.modelcontextprotocol/protocolVersion': revision,
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'an-agent', version: '1' },
      };

/** An agent that has started the command, and talks with it in a revision of the protocol. */
async function startAgent(revision: Revision, ...args: string[]) {
  const child = spawnProgram(['mcp', ...args], {}, 'pipe');
  const [{ stdin, stdout }, lines] = [child, [] as string[]];
  if (!stdin || !stdout) {
    throw new Error('the command has no standard input or output');
  }
  const reader = createInterface(stdout);
  reader.on('line', (line) => lines.push(line));
  let callCount = 0;
  const ask = async (method: string, params: { _meta?: object } & Record<string, unknown>) => {
    callCount += 1;
    const allParams = { ...params, _meta: { ...requiredMetaOf(revision), ...params._meta } };
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: callCount, method, params: allParams })}\n`);
    for (;;) {
      await once(reader, 'line');
      const answer = lines.map((line) => JSON.parse(line)).find(({ id }) => id === callCount);
      if (answer) {
        expect(answer).toMatchObject({ jsonrpc: '2.0' });
        return answer;
      }
    }
  };
  const shakeHands = async () => {
    if (revision !== WITH_HANDSHAKE) {
      return (await ask('server/discover', {})).result;
    }
    const clientInfo = { name: 'an-agent', version: '1' };
    const { result } = await ask('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return result;
  };
  return {
    welcome: await shakeHands(),
    ask,
    /** Other messages of the command, such as progress. */
    notices: () => lines.map((line) => JSON.parse(line)).filter(({ id }) => id === undefined),
    /** The text and the structured content of a call, which are the same, or the text of an error. */
    async use(name: string, given: object = {}, _meta: object = {}) {
      const { result } = await ask('tools/call', { name, arguments: given, _meta });
      const text = String(result.content[0].text);
      if (!result.isError) {
        expect(result.structuredContent).toEqual(JSON.parse(text));
        expect(
          new Ajv2020({ strict: false, validateFormats: false }).validate(outputOf(name), result.structuredContent),
        ).toBe(true);
      }
      return { isError: result.isError, text, data: result.structuredContent };
    },
    async leave() {
      const ended = once(child, 'close');
      stdin.end();
      return (await ended)[0];
    },
  };
}

function outputOf(name: string) {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) {
    throw new Error(`there is no tool ${name}`);
  }
  return tool.outputSchema;
}

const payFor = (payerReference: string, baseUrl: string) =>
  fetch(`${baseUrl}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('requests/single-payment', { payerReference })),
  });

describe.each(REVISIONS)('an agent that speaks %s', (revision) => {
  it('is told what the server can do, in the form of the revision that it speaks', async () => {
    const { welcome, ask, leave } = await startAgent(revision, '--url', sandbox.url);
    expect(welcome.capabilities).toEqual({ tools: {} });
    expect(welcome.instructions).toContain(sandbox.url);
    const { result } = await ask('tools/list', {});
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS.map(({ name }) => name));
    if (revision === WITH_HANDSHAKE) {
      expect(welcome).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'merchant-sandbox' } });
      expect(result).not.toHaveProperty('resultType');
    } else {
      expect(welcome).toMatchObject({ supportedVersions: [revision], resultType: 'complete' });
      expect(welcome._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'merchant-sandbox' });
      expect(result).toMatchObject({
        resultType: 'complete',
        cacheScope: expect.any(String),
        ttlMs: expect.any(Number),
      });
    }
    expect(await leave()).toBe(0);
  });

  it('can make a payment, settle it, and see the call, the report and the state', async () => {
    const name = `agent-${revision}`;
    const session = sandbox.session(name);
    const { use, leave } = await startAgent(revision, '--url', sandbox.url, '--session', name);
    const payment = await use('make_payment', { reference: 'ORDER-1', channel: 'mobile-money', amount: '12.50' });
    expect(payment.data).toMatchObject({
      payment: { state: 'Processing', amount: '12.50', channel: 'mobile-money' },
      call: { findings: [], answer: { status: 200 } },
    });
    expect((await use('settle_payment', { payment: 'ORDER-1', outcome: 'Paid' })).data).toMatchObject({
      state: 'Paid',
    });
    await payFor('ORDER-2', session.baseUrl);
    expect((await use('show_call')).data).toMatchObject({ operation: 'initiatePayment', reference: 'ORDER-2' });
    expect((await use('show_call', { call: 'request-1' })).data).toMatchObject({ reference: 'ORDER-1' });
    expect((await use('advance_clock', { by: '15m' })).data).toMatchObject({ mode: 'frozen' });
    const expired = await use('list_payments', { state: 'Expired' });
    expect(expired.data.items).toMatchObject([{ payerReference: 'ORDER-2' }]);
    const { data } = await use('get_state');
    expect(data).toMatchObject({
      baseUrl: session.baseUrl,
      overview: { payments: { states: { Paid: 1, Expired: 1 } } },
      scenario: { name: 'payer-decides' },
    });
    const report = await use('report');
    expect(report.data.checked.calls).toMatchObject([{ of: 'initiatePayment', count: 2 }]);
    expect(report.data.unseen.first[0]).toHaveProperty('try');
    await leave();
  });

  it('can choose a scenario and endpoints, and have an id explained', async () => {
    const name = `choices-${revision}`;
    const { use, leave } = await startAgent(revision, '--url', sandbox.url, '--session', name);
    const choice = await use('choose_scenario', { scenario: 'auto-approve', behaviour: 'notified-in-other-json' });
    expect(choice.data).toMatchObject({
      scenario: { name: 'auto-approve' },
      behaviour: { name: 'notified-in-other-json' },
    });
    const { data } = await use('set_endpoints', { urls: ['sandbox:catch'] });
    expect(data.endpoints).toMatchObject([{ url: 'sandbox:catch', secret: expect.stringMatching(/^whsec_/) }]);
    await use('make_payment', {});
    await use('advance_clock');
    expect((await use('list_payments')).data.items).toMatchObject([{ state: 'Paid' }]);
    expect((await use('explain', { id: 'auto-approve' })).data.items).toMatchObject([
      { kind: 'scenario', advice: expect.any(String) },
    ]);
    expect((await use('explain')).data.items.length).toBeGreaterThan(50);
    await leave();
  });

  it('gets errors that name the argument of the tool', async () => {
    const { use, ask, leave } = await startAgent(revision, '--url', sandbox.url, '--session', `errors-${revision}`);
    await use('make_payment', { reference: 'ORDER-1', outcome: 'Paid' });
    const errors: [string, object, string | RegExp][] = [
      [
        'settle_payment',
        { payment: 'ORDER-1', outcome: 'Lost' },
        'argument outcome: expected one of Paid, Failed, Cancelled, Expired, received string "Lost"',
      ],
      [
        'settle_payment',
        { outcome: 'Paid' },
        'argument payment: expected a string (id such as payment-1, or your payerReference), received nothing',
      ],
      ['settle_payment', { payment: 'ORDER-9', outcome: 'Paid' }, /^argument payment: .*"ORDER-9".* \(SBX-R\d+\)$/],
      ['settle_payment', { payment: 'ORDER-1', outcome: 'Failed' }, /^argument payment: .* \(SBX-R\d+\)$/],
      ['make_payment', { amount: '10' }, /^argument amount: expected .*10\.00.*, received string "10"$/],
      ['make_payment', { channel: 'cash' }, /^there is no channel cash/],
      ['choose_scenario', { scenario: 'auto-aprove' }, /^argument scenario: .*auto-approve/],
      ['choose_scenario', { behaviour: 'nice' }, /^argument behaviour: /],
      ['set_endpoints', { urls: ['nowhere'] }, /^argument urls: expected /],
      ['advance_clock', { by: 'soon' }, /^argument by: expected /],
      ['show_call', { call: 'request-99' }, /^argument call: .*request-99/],
      ['list_payments', { limit: 51 }, /^argument limit: expected .*50, received number 51$/],
      ['explain', { id: 'SBX-X1' }, /^unknown id or name "SBX-X1"/],
      ['report', { everything: true }, 'unknown argument everything; the arguments are session'],
      ['list_payments', { session: 'gone' }, /^argument session: there is no session "gone"/],
      ['examine_shop', { adapter: 'none.mjs', budget: 'much' }, /^argument budget takes /],
      ['probe_receiver', { webhookUrl: 'nowhere' }, /^argument webhookUrl: expected .*, received string "nowhere"$/],
    ];
    for (const [name, args, words] of errors) {
      const { isError, text } = await use(name, args);
      expect([name, isError, text]).toEqual([
        name,
        true,
        typeof words === 'string' ? words : expect.stringMatching(words),
      ]);
    }
    expect((await ask('tools/call', { name: 'refund', arguments: {} })).error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/there is no tool refund; the tools are get_state, /),
    });
    await leave();
  });
});

it('a tool tells the agent where to point the integration if nothing has happened in the session', async () => {
  const { use, leave } = await startAgent('2026-07-28', '--url', sandbox.url, '--session', 'silent');
  const hint = `nothing has happened in session silent; point the integration to ${sandbox.url}/s/silent, or use make_payment`;
  expect((await use('get_state')).text).toBe(hint);
  await use('choose_scenario', { scenario: 'auto-approve' });
  expect((await use('show_call')).text).toBe(hint);
  expect((await use('get_state')).isError).toBe(false);
  await leave();
});

describe('a server without a handshake', () => {
  const answersTo = async (...messages: object[]) => {
    const child = spawnProgram(['mcp', '--url', sandbox.url], {}, 'pipe');
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
    expect((await once(child, 'close'))[0]).toBe(0);
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const _meta = requiredMetaOf('2026-07-28');

  it('refuses a revision that it does not speak, and names those that it does', async () => {
    const laterMeta = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const [answer] = await answersTo({ id: 1, method: 'tools/list', params: { _meta: laterMeta } });
    expect(answer.error).toMatchObject({ code: -32_022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } });
  });

  it('has no ping, and needs the version in every request', async () => {
    const answers = await answersTo(
      { id: 1, method: 'server/discover', params: { _meta } },
      { id: 2, method: 'ping', params: { _meta } },
      { id: 3, method: 'tools/list', params: {} },
    );
    const codes = answers.map(({ id, error }) => [id, error?.code]);
    expect(codes.sort()).toEqual([
      [1, undefined],
      [2, -32_601],
      [3, -32_602],
    ]);
  });
});

it('an agent can examine a receiver, with a short result and with progress', async () => {
  // The receiver accepts any notification, even a forged one.
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
  const { use, notices, leave } = await startAgent('2026-07-28', '--url', sandbox.url);
  const only = 'forged-unsigned,mobile-money';
  const args = { webhookUrl: address, check: `${address}/{reference}`, amount: '10.00', only, budget: '1ms' };
  const examined = await use('probe_receiver', { ...args, bundles: newFolder() }, { progressToken: 'probe' });
  const { counts, violated } = JSON.parse(examined.text);
  expect(counts.violated).toBeGreaterThan(0);
  const ids = ['I7-forged-unsigned-mobile-money', 'I1-forged-unsigned-mobile-money'];
  expect(violated.at(-1)).toMatchObject({ id: 'I7', mend: expect.stringContaining('Verify the signature'), ids });
  expect(violated.at(-1).story.join('\n')).toContain(
    'Forged notification payment.paid (unsigned)): receiver answered 200',
  );
  expect(examined.text.length).toBeLessThan(8000);
  expect(notices()).toContainEqual({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: 'probe', progress: 1, message: 'checking whether the receiver acknowledges' },
  });
  receiver.close();
  await leave();
});

it('an agent can examine a shop that the server starts', async () => {
  const { use, leave } = await startAgent('2025-06-18', '--url', 'http://127.0.0.1:9');
  const port = await freePort();
  const command = `PORT=${port} "${process.execPath}" scripts/examine-shops/shop/shop.mjs`;
  const args = { adapter: 'scripts/examine-shops/shop/examine.mjs', command, app: `http://127.0.0.1:${port}` };
  const examined = await use('examine_shop', { ...args, only: 'paid,mobile-money', budget: '1ms' });
  expect(JSON.parse(examined.text)).toMatchObject({ counts: { violated: 0 }, violated: [] });
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
    { id: 2, method: 'tools/call', params: { name: 'get_state', arguments: {} } },
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

  /** The answers of the command to the lines, and to a valid message after them. */
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

  it('is answered with a JSON-RPC error, and later messages are answered, too', async () => {
    const nested = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const table: [string, number, unknown][] = [
      ['{"jsonrpc"', -32_700, null],
      ['nonsense', -32_700, null],
      [`{"a":"${'x'.repeat(MAX_MESSAGE_BYTES)}"}`, -32_600, null],
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
  const result = await startAgent('2026-07-28', '--url', 'http://127.0.0.1:9');
  expect(await result.use('get_state')).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^no sandbox answers at http:\/\/127\.0\.0\.1:9; start one/),
  });
  await result.leave();
  const exposed = await startSandbox({ host: '0.0.0.0', controlToken: 'secret-of-the-test' });
  const { url } = exposed;
  const stranger = await startAgent('2026-07-28', '--url', url);
  expect((await stranger.use('get_state')).text).toContain('--control-token');
  await stranger.leave();
  const friend = await startAgent('2025-06-18', '--url', url, '--control-token', 'secret-of-the-test');
  expect((await friend.use('get_state')).isError).toBe(false);
  await friend.leave();
  await exposed.close();
});

describe('the tools', () => {
  it('are at most twelve', () => {
    expect(TOOLS.length).toBeLessThanOrEqual(12);
  });

  it.each(TOOLS)('$name describes its input and its output by complete schemas', (tool) => {
    const { inputSchema, outputSchema, title, description } = tool;
    for (const schema of [inputSchema, outputSchema]) {
      expect(JSON.stringify(schema)).not.toContain('$ref');
      expect(() => new Ajv2020({ strict: false, validateFormats: false }).compile(schema)).not.toThrow();
      expect(schema.required.every((name) => Object.hasOwn(schema.properties, name))).toBe(true);
    }
    expect(Object.keys(outputSchema.properties)).not.toEqual([]);
    expect([title, description]).not.toContain('');
  });

  it('are described in fewer than 20,000 characters, because an agent reads all of them at its start', () => {
    expect(JSON.stringify(TOOLS).length).toBeLessThan(20_000);
  });

  it('are marked if they only read, are destructive or call other programs', () => {
    const toolNames = (isSuch: (tool: Tool) => boolean) => TOOLS.filter(isSuch).map(({ name }) => name);
    expect(toolNames(({ annotations }) => annotations.readOnlyHint)).toEqual([
      'get_state',
      'show_call',
      'list_payments',
      'report',
      'explain',
    ]);
    expect(toolNames(({ annotations }) => annotations.destructiveHint)).toEqual(['examine_shop', 'probe_receiver']);
    expect(toolNames(({ annotations }) => annotations.openWorldHint)).toEqual(['examine_shop', 'probe_receiver']);
  });
});
