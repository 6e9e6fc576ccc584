import fc from 'fast-check';
import request from 'supertest';
import { capFindings, type Finding } from '../../../src/base/refusal.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { cases } from '../../cases.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const SCHEMA = 'requests/bulk-payment';
const entries = (count: number) => Array.from({ length: count }, () => ({}));
const finding = (severity: Finding['severity']): Finding => ({ path: '$.a', expected: 'b', received: 'c', severity });

it('a list of findings is cut to a hundred, errors first, with the number of omitted ones', () => {
  const severities = fc.array(fc.constantFrom('error' as const, 'warning' as const), { maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(severities, (all) => {
      const listed = capFindings(all.map(finding));
      const errors = all.filter((severity) => severity === 'error').length;
      const count = (list: readonly Finding[]) => list.filter(({ severity }) => severity === 'error').length;
      if (all.length <= 100) {
        expect(listed).toEqual(all.map(finding));
      } else {
        expect(listed).toHaveLength(101);
        expect(listed.at(-1)?.received).toBe(`${all.length - 100} more findings`);
        expect(count(listed.slice(0, 100))).toBe(Math.min(100, errors));
        expect(listed.at(-1)?.severity).toBe(errors > 0 ? 'error' : 'warning');
      }
    }),
    { numRuns: cases(100) },
  );
});

it('a list that is too long is refused before its entries are validated', async () => {
  const findings = await validate(SCHEMA, exampleOf(SCHEMA, { ...MERCHANT, dynamicPaidList: entries(40_000) }));
  expect(findings).toEqual([
    { path: '$.dynamicPaidList', expected: 'at most 1000 entries', received: 'an array of 40000', severity: 'error' },
  ]);
});

it('every entry of a list that is not too long is validated', async () => {
  const findings = await validate(SCHEMA, exampleOf(SCHEMA, { ...MERCHANT, dynamicPaidList: entries(3) }));
  const places = new Set(findings.map(({ path }) => path.replace(/\.\w+$/, '')));
  expect([...places]).toEqual([0, 1, 2].map((index) => `$.dynamicPaidList[${index}]`));
});

it('many warnings do not hide an error', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
  const findings = await validate(SCHEMA, { ...unknown, ...exampleOf(SCHEMA, { ...MERCHANT, dynamicPaidList: 1 }) });
  expect(findings[0]).toMatchObject({ path: '$.dynamicPaidList', severity: 'error' });
});

describe('an answer', () => {
  let sandboxes: Sandbox[];
  beforeAll(async () => {
    sandboxes = [await startSandbox(), await startSandbox({ validation: 'lenient' })];
  });
  afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

  it.each([
    ['/init/authenticate/merchant/bulkWallet', { dynamicPaidList: entries(30_000) }],
    ['/init/authenticate/merchant/bulkWallet', { dynamicPaidList: entries(1000) }],
    ['/init/authenticate/merchant/bulkWallet', Object.fromEntries(entries(6000).map((each, at) => [`a${at}`, each]))],
    ['/_sandbox/state', { state: {}, payments: entries(10_000) }],
    ['/_sandbox/scenarios/x', { name: 'x', description: '', rules: entries(10_000).map(() => ({ when: 1 })) }],
    ['/_sandbox/requests/verify', { match: Object.fromEntries(entries(6000).map((each, at) => [`a${at}`, each])) }],
  ])('to many mistakes at %s stays small, and so does the request log', async (path, body) => {
    for (const { url } of sandboxes) {
      const method = /state|scenarios/.test(path) ? 'put' : 'post';
      const { status, text } = await request(url)[method](path).send(body);
      expect([status, text.length < 50_000]).toEqual([400, true]);
      expect((await request(url).get('/_sandbox/requests')).text.length).toBeLessThan(500_000);
    }
  });
});
