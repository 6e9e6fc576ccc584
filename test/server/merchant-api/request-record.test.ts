import { type Finding, findingsRefusal, Refusal } from '../../../src/base/refusal.ts';
import { RequestRecord } from '../../../src/server/merchant-api/request-record.ts';
import { Generation } from '../../../src/server/sessions/generation.ts';
import { RequestLog } from '../../../src/server/sessions/request-log.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import { read, refusalOf, requestWith } from './requests.ts';

function sessionWith(endCall: (call: RequestRecord) => void = () => undefined): Session {
  return {
    name: 'default',
    state: { counters: { event: 7 } },
    requests: new RequestLog(new SharedMemory(1e6)),
    clock: { now: () => 0 },
    epoch: {},
    history: { beginCall: () => undefined, endCall },
  } as unknown as Session;
}

function record(query: Record<string, string> = {}, headers: Record<string, string> = {}): RequestRecord {
  const session = sessionWith();
  return new RequestRecord({
    session,
    generation: new Generation('default', 1),
    request: requestWith(headers),
    response: undefined as never,
    address: '/a',
    path: '/a',
    query,
  });
}

const finding = (name: string): Finding => ({
  path: `$.${name}`,
  expected: 'a text',
  received: 'nothing',
  severity: 'error',
});

describe('the entry of a call in the request log', () => {
  it('shows the request without its secrets: body, query and headers', () => {
    const call = record({ token: 'hush', walletName: 'W' }, { authorization: 'Bearer hush', accept: '*/*' });
    call.setBody({ value: { merchantKey: 'hush', amount: '10.00' }, findings: [] });
    expect(call.describe()).toMatchObject({
      body: { merchantKey: '***', amount: '10.00' },
      query: { token: '***', walletName: 'W' },
      headers: { authorization: '***', accept: '*/*' },
    });
  });

  it('shows an unreadable body as the received text, without its secrets', async () => {
    const call = record();
    const body = [Buffer.from('{"merchantKey":"hush","amount":10')];
    call.setRefusal(
      await refusalOf(read(body, { 'content-type': 'application/json' }, { kind: 'json', isLenient: false })),
    );
    expect(call.describe().body).toBe('{"merchantKey":***,"amount":10');
  });

  it('contains each finding of a refusal once, although several checks found it', () => {
    const call = record();
    const [known, late] = [finding('a'), finding('b')];
    call.addFindings([known]);
    call.setRefusal(findingsRefusal([known, late]));
    expect(call.describe().findings).toEqual([known, late]);
    expect(call.describe().outcome).toBe('refused: invalid-field (SBX-R02)');
  });

  it('contains the body of a refused call if it could be read', () => {
    const call = record();
    call.setBody({ value: { amount: '10.00' }, findings: [] });
    call.setRefusal(new Refusal('business-rule', 'no'));
    expect(call.describe().body).toEqual({ amount: '10.00' });
  });

  it('shows the answer without its secrets, even if it is not JSON', () => {
    const call = record();
    const answerHead = { status: 200, headers: {} };
    call.setAnswer({ ...answerHead, text: '{"auth":{"token":"hush","user":7}}' });
    expect(call.describe().answer).toEqual({ ...answerHead, body: '{"auth":{"token":"***","user":7}}' });
    const broken = record();
    broken.setAnswer({ ...answerHead, text: '{"status":"Success","paymentInit' });
    expect(broken.describe().answer?.body).toBe('{"status":"Success","paymentInit');
  });

  it('has at least the size of its request and answer, is created only once, and shows only the size of a file', () => {
    const call = record({ a: 'x'.repeat(100) }, { accept: 'y'.repeat(100) });
    call.setBody({ value: { file: { bytes: Buffer.alloc(100_000) } }, findings: [finding('z'.repeat(100))] });
    call.setAnswer({ status: 200, headers: {}, text: '"answer"' });
    expect(call.bytes).toBeGreaterThan(100_300);
    expect(call.describe()).toBe(call.describe());
    expect([call.status, call.describe().body]).toEqual([200, { file: { bytes: '100000 bytes' } }]);
  });

  it('has only the beginning of a large body and answer, also in memory, with their sizes', () => {
    const call = record();
    call.setBody({ value: { a: 'x'.repeat(1e6) }, findings: [] });
    call.setAnswer({ status: 200, headers: {}, text: JSON.stringify({ b: 'y'.repeat(1e6), token: 'hush' }) });
    const sizes: number[] = [];
    call.end(sessionWith(({ bytes }) => sizes.push(bytes)));
    expect(sizes).toEqual([call.bytes]);
    expect([call.bytes > 8192, call.bytes < 100_000]).toEqual([true, true]);
    const { body, answer } = call.describe();
    expect(body).toMatch(/^\{"a":"x{4090}… \(1,000,008 characters in all, cut for the request log\)$/);
    expect(answer?.body).toMatch(/^\{"b":"y{4090}… \(1,000,022 characters in all, cut for the request log\)$/);
  });
});
