import { rmSync } from 'node:fs';
import { join } from 'node:path';
import parse, { type ParsedFamily } from 'parse-prometheus-text-format';
import request from 'supertest';
import { exampleOf } from '../../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { startReceiver } from '../../domain/webhooks/receiver.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ now: NOW });
});
afterEach(() => sandbox.close());

async function textOf({ url }: Pick<Sandbox, 'url'> = sandbox): Promise<string> {
  return (await fetch(`${url}/_sandbox/metrics`)).text();
}

/** The parsed samples of a family: values by their labels, which are joined to one text. */
async function samplesOf(name: string, from?: Pick<Sandbox, 'url'>): Promise<Record<string, number>> {
  const family = parse(await textOf(from)).find((each) => each.name === name);
  return Object.fromEntries(
    (family?.metrics ?? []).map(({ labels, value }) => [Object.values(labels ?? {}).join(' '), Number(value)]),
  );
}

async function pay(baseUrl: string, members: object = {}, headers: Record<string, string> = {}): Promise<number> {
  const body = { ...exampleOf('requests/single-payment'), ...members };
  return (await request(baseUrl).post(WALLET).set(headers).send(body)).status;
}

it('metrics count the calls of all sessions by operation, environment and status', async () => {
  await pay(sandbox.sessionUrl('one'));
  await pay(sandbox.sessionUrl('two'));
  await pay(sandbox.url, { amount: 10 });
  await pay(sandbox.url, {}, { 'X-Sandbox-Scenario': 'outage' });
  await request(sandbox.url).get('/nowhere');
  await request(sandbox.url).get('/param/paymentIntervals');
  expect(await samplesOf('merchant_sandbox_requests_total')).toEqual({
    'initiatePayment sandbox 200': 2,
    'initiatePayment sandbox 400': 1,
    'initiatePayment sandbox 503': 1,
    'none none 404': 1,
    'listPaymentIntervals production 200': 1,
  });
});

it('metrics count a call without an answer separately', async () => {
  const session = sandbox.session('silent');
  await session.defineScenario({
    name: 'silent',
    description: 'No answer.',
    rules: [{ fault: { at: 'before', kind: 'reset' } }],
  });
  await session.useScenario('silent');
  await expect(pay(session.baseUrl)).rejects.toThrow();
  expect(await samplesOf('merchant_sandbox_requests_total')).toEqual({ 'initiatePayment sandbox none': 1 });
});

it('metrics contain the duration of calls, by operation', async () => {
  await pay(sandbox.url);
  await pay(sandbox.url);
  const text = await textOf();
  const name = 'merchant_sandbox_request_duration_seconds';
  expect(text).toContain(`# TYPE ${name} histogram\n`);
  expect(text).toContain(`${name}_count{operation="initiatePayment"} 2\n`);
  expect(Number(new RegExp(`${name}_sum{operation="initiatePayment"} (.+)`).exec(text)?.[1])).toBeGreaterThan(0);
  const buckets = [...text.matchAll(new RegExp(`${name}_bucket{operation="initiatePayment",le="(.+)"} (.+)`, 'g'))];
  const bounds = buckets.map(([, bound = '']) => Number(bound.replace('+Inf', 'Infinity')));
  const counts = buckets.map(([, , count]) => Number(count));
  expect([bounds, counts]).toEqual([bounds.toSorted((a, b) => a - b), counts.toSorted((a, b) => a - b)]);
  expect([bounds.at(-1), counts.at(-1)]).toEqual([Number.POSITIVE_INFINITY, 2]);
});

it('metrics contain the payments of all sessions by channel and state, and the number of jobs and sessions', async () => {
  const [one, two] = [sandbox.session('one'), sandbox.session('two')];
  await pay(one.baseUrl);
  await pay(one.baseUrl, { payerReference: 'ORDER-2' });
  await pay(two.baseUrl, { walletName: 'WALLET_CARD_A' });
  await one.settle('ORDER-2', 'Paid');
  expect(await samplesOf('merchant_sandbox_payments')).toEqual({
    'card-network-a Processing': 1,
    'qr-wallet Paid': 1,
    'qr-wallet Processing': 1,
  });
  expect(await samplesOf('merchant_sandbox_jobs')).toEqual({ queued: 3, running: 0 });
  expect(await samplesOf('merchant_sandbox_sessions')).toEqual({ '': 2 });
});

it('metrics keep counting after a reset, which only deletes stored data', async () => {
  const session = sandbox.session('one');
  await pay(session.baseUrl);
  await session.settle('ORDER-1001', 'Paid');
  await session.reset();
  expect(await samplesOf('merchant_sandbox_payments')).toEqual({});
  expect(await samplesOf('merchant_sandbox_jobs')).toEqual({ queued: 0, running: 0 });
  expect(await samplesOf('merchant_sandbox_events_total')).toEqual({
    'payment.created': 1,
    'payment.paid': 1,
    'session.reset': 1,
  });
  await pay(session.baseUrl);
  expect(await samplesOf('merchant_sandbox_requests_total')).toEqual({ 'initiatePayment sandbox 200': 2 });
});

it('metrics contain deliveries by their state', async () => {
  const receiver = await startReceiver((call, response) => {
    response.statusCode = call === 1 ? 200 : 500;
    response.end();
  });
  await sandbox.client.setEndpoints([{ url: receiver.url }]);
  for (const payerReference of ['ORDER-1', 'ORDER-2']) {
    await pay(sandbox.url, { payerReference });
    await sandbox.client.settle(payerReference, 'Paid');
    await sandbox.client.advance('PT1S');
  }
  expect(await samplesOf('merchant_sandbox_deliveries')).toEqual({ delivered: 1, pending: 1 });
  expect(await samplesOf('merchant_sandbox_events_total')).toMatchObject({
    'delivery.succeeded': 1,
    'delivery.failed': 1,
  });
  await receiver.close();
});

it('metrics contain the size of the journal, and whether changes can be stored', async () => {
  const folder = temporaryFolder();
  const persistent = await startSandbox({ data: join(folder, 'state.json') });
  await pay(persistent.url);
  expect((await samplesOf('merchant_sandbox_journal_bytes', persistent))['']).toBeGreaterThan(0);
  expect(await samplesOf('merchant_sandbox_storage_degraded', persistent)).toEqual({ '': 0 });
  rmSync(folder, { recursive: true });
  expect(await pay(persistent.url)).toBe(503);
  expect(await samplesOf('merchant_sandbox_storage_degraded', persistent)).toEqual({ '': 1 });
  await persistent.close();
  expect(await textOf()).not.toContain('journal_bytes');
});

it('metrics have the format of Prometheus, with names, help and types, and each series once', async () => {
  await pay(sandbox.url);
  await textOf();
  const answer = await fetch(`${sandbox.url}/_sandbox/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const families: ParsedFamily[] = parse(text);
  for (const { name, help, type, metrics } of families) {
    expect(name).toMatch(/^(?:merchant_sandbox|process)_[a-z_]+$/);
    expect([name, type === 'COUNTER']).toEqual([name, name.endsWith('_total')]);
    expect([name, help]).toEqual([name, expect.stringMatching(/^[A-Z0-9].+\.$/)]);
    for (const { value } of type === 'HISTOGRAM' ? [] : metrics) {
      expect([name, Number.isFinite(Number(value))]).toEqual([name, true]);
    }
  }
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(new Set(series.map((line) => line.replace(/ \S+$/, ''))).size).toBe(series.length);
  expect(families.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'merchant_sandbox_build_info',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]),
  );
  expect(text.endsWith('\n')).toBe(true);
});

it('metrics require the control token as a bearer token if the sandbox does not listen on loopback', async () => {
  const open = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
  const statusFor = async (headers: Record<string, string>) =>
    (await fetch(`${open.url}/_sandbox/metrics`, { headers })).status;
  expect(await statusFor({})).toBe(401);
  expect(await statusFor({ authorization: 'Bearer another' })).toBe(401);
  expect(await statusFor({ authorization: 'Bearer a-token' })).toBe(200);
  await open.close();
});
