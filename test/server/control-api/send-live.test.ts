import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { validate } from '../../../src/base/schema/validation.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { post, single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';
/** An address at which nothing listens. */
const ENDPOINTS = { endpoints: [{ url: 'http://127.0.0.1:9/' }] };

interface Message {
  name: string;
  data: Record<string, unknown>;
  id: string | undefined;
}

const SCHEMAS: Readonly<Record<string, string>> = {
  ready: 'control/ready-notice',
  event: 'control/event',
  call: 'control/call-notice',
  delivery: 'control/delivery-notice',
  clock: 'control/clock-view',
  session: 'control/session-view',
  changed: 'control/change-notice',
  over: 'control/over-notice',
};

let sandbox: Sandbox;
let sessions = 0;
const openStreams: LiveStream[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterEach(() => {
  for (const live of openStreams.splice(0)) {
    live.response.destroy();
  }
});
afterAll(() => sandbox.close());

async function newSession(): Promise<SandboxClient> {
  sessions += 1;
  await sandbox.client.call('POST', '/sessions', { name: `live-${sessions}`, now: '2026-03-01T10:00:00Z' });
  return sandbox.session(`live-${sessions}`);
}

const pay = ({ baseUrl }: SandboxClient, members: object = {}) => post(WALLET, single(members), baseUrl);

/** A live stream that is read on demand. */
class LiveStream {
  readonly response: IncomingMessage;
  readonly #messages: AsyncGenerator<Message>;

  constructor(response: IncomingMessage) {
    this.response = response;
    this.#messages = messagesIn(response);
    openStreams.push(this);
  }

  /** All messages up to the first with that name that `matches` accepts. */
  async until(name: string, matches: (data: Message['data']) => boolean = () => true): Promise<Message[]> {
    const all: Message[] = [];
    for (;;) {
      const { value, done } = await this.#messages.next();
      if (done) {
        throw new Error(`the stream ended before ${name}: ${JSON.stringify(all)}`);
      }
      all.push(value);
      if (value.name === name && matches(value.data)) {
        return all;
      }
    }
  }

  async rest(): Promise<Message[]> {
    const all: Message[] = [];
    for await (const message of this.#messages) {
      all.push(message);
    }
    return all;
  }
}

async function* messagesIn(response: IncomingMessage): AsyncGenerator<Message> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(fieldOf));
      text = text.slice(end + 2);
      if (fields.has('event')) {
        yield { name: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? ''), id: fields.get('id') };
      }
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}

async function liveOf(
  { baseUrl }: SandboxClient,
  headers: Record<string, string> = {},
  query = '',
): Promise<LiveStream> {
  const [response] = (await once(get(`${baseUrl}/_sandbox/stream${query}`, { headers }), 'response')) as [
    IncomingMessage,
  ];
  return new LiveStream(response);
}

const labelOf = ({ name, data }: Message) => `${name} ${data['type'] ?? data['id'] ?? ''}`.trim();

it('a live stream reports the session first, then events, calls, deliveries and the next due time', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  const [ready] = await live.until('ready');
  expect(ready?.data).toMatchObject({ generation: 0, lastEvent: 0, clock: { mode: 'frozen', next: null } });
  await session.call('PUT', '/webhooks/endpoints', ENDPOINTS);
  await pay(session);
  await session.settle('ORDER-1001', 'Paid');
  const messages = await live.until('event', ({ type }) => type === 'delivery.failed');
  const withoutClock = messages.filter(({ name }) => name !== 'clock').map(labelOf);
  expect(withoutClock).toEqual([
    'changed endpoint-1',
    'event payment.created',
    'call request-1',
    'delivery payment.paid',
    'event payment.paid',
    'delivery payment.paid',
    'event delivery.failed',
  ]);
  const deliveries = messages.filter(({ name }) => name === 'delivery').map(({ data }) => data);
  expect(deliveries).toMatchObject([
    { id: 'delivery-1', state: 'pending', attempts: 0, last: null },
    { id: 'delivery-1', state: 'pending', attempts: 1, last: { status: null, error: expect.any(String) } },
  ]);
  expect(messages.find(({ name }) => name === 'call')?.data).toMatchObject({
    id: 'request-1',
    method: 'POST',
    path: WALLET,
    operation: 'initiatePayment',
    status: 200,
    reference: 'ORDER-1001',
    findings: 0,
  });
  await expect(
    live.until('clock', ({ next }) => (next as { kind?: string })?.kind === 'attempt-delivery'),
  ).resolves.toBeDefined();
});

it('a live stream matches its schemas, and only events have ids', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  await session.call('PUT', '/webhooks/endpoints', ENDPOINTS);
  await pay(session, { amount: 10 });
  await pay(session);
  await session.settle('ORDER-1001', 'Paid');
  await session.call('PUT', '/scenario', { name: 'auto-approve' });
  const messages = await live.until('session');
  await session.reset();
  await pay(session);
  messages.push(...(await live.until('over')), ...(await live.until('call')));
  const names = new Set(messages.map(({ name }) => name));
  expect([...names].sort()).toEqual(Object.keys(SCHEMAS).sort());
  for (const { name, data, id } of messages) {
    expect([name, await validate(SCHEMAS[name] ?? '', data)]).toEqual([name, []]);
    expect([name, await validate('control/notice', data)]).toEqual([name, []]);
    expect([name, id]).toEqual([name, name === 'event' ? String(data['id']) : undefined]);
  }
});

it('a live stream reports a change of the scenario, a move of the clock, and the clearing of the request log', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  await session.call('PUT', '/scenario', { name: 'auto-approve' });
  const [, scenario] = await live.until('session');
  expect(scenario?.data).toMatchObject({ scenario: 'auto-approve' });
  await session.advance('PT1H');
  const clock = (await live.until('clock')).at(-1);
  expect(clock?.data).toMatchObject({ mode: 'frozen', now: '2026-03-01T11:00:00.000Z' });
  await session.call('DELETE', '/requests');
  await expect(live.until('cleared')).resolves.toHaveLength(1);
});

it('a live stream restarts after a reset, without earlier events', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  await pay(session);
  await live.until('call');
  await session.reset();
  const messages = await live.until('event', ({ type }) => type === 'session.reset');
  const fromOver = messages.slice(messages.findIndex(({ name }) => name === 'over'));
  expect(fromOver.map(labelOf)).toEqual(['over', 'ready', 'event session.reset']);
  expect(fromOver.map(({ data }) => data)).toMatchObject([
    { reason: 'reset', generation: 1 },
    { generation: 1, lastEvent: 1 },
    { id: 1 },
  ]);
});

it('a live stream ends when its session is deleted, with the reason', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  await live.until('ready');
  await sandbox.client.call('DELETE', `/sessions/${session.baseUrl.split('/').at(-1)}`);
  expect((await live.rest()).map(({ name, data }) => [name, data['reason']])).toEqual([['over', 'deleted']]);
});

it('a live stream ends without a message when the sandbox stops', async () => {
  const other = await startSandbox();
  const live = await liveOf(other.client);
  await live.until('ready');
  const remaining = live.rest();
  await other.close();
  expect(await remaining).toEqual([]);
});

it('a live stream continues after the last event that a client received', async () => {
  const session = await newSession();
  await pay(session);
  await pay(session, { payerReference: 'ORDER-2' });
  const idsOf = async (headers: Record<string, string>, query?: string) => {
    const live = await liveOf(session, headers, query);
    await session.call('DELETE', '/requests');
    return (await live.until('cleared')).flatMap(({ id }) => id ?? []);
  };
  expect(await idsOf({})).toEqual([]);
  expect(await idsOf({ 'last-event-id': '1' })).toEqual(['2']);
  expect(await idsOf({}, '?since=0')).toEqual(['1', '2']);
});

it('a live stream shortens the texts of a merchant', async () => {
  const session = await newSession();
  const live = await liveOf(session);
  await pay(session, { payerReference: 'x'.repeat(100_000) });
  const call = (await live.until('call')).at(-1);
  expect(String(call?.data['reference'])).toHaveLength(201);
  expect(call?.data).toMatchObject({ status: 400, findings: 1, outcome: 'refused: invalid-field (SBX-R02)' });
});
