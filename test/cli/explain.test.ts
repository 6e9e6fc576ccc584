import request from 'supertest';
import { FINDING_KINDS } from '../../src/base/finding-kinds.ts';
import { REFUSAL_KINDS } from '../../src/base/refusal-kinds.ts';
import { loadFixtures } from '../../src/server/config/fixtures.ts';
import { single } from '../interface/calls.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';

interface Explanation {
  id: string;
  name: string;
  kind: string;
  description: string;
  advice: string;
}

/** The names in the order of their ids, which never change; new ones are added at the end of their list. */
const SCENARIOS = [
  ...['payer-decides', 'auto-approve', 'declined', 'insufficient-funds', 'wrong-pin', 'payer-cancels', 'expires'],
  ...['card-test-mode', 'qr-alternate', 'empty-strings', 'short-answers', 'chargeback'],
  ...['late-success', 'paid-after-expiry', 'late-failure'],
  ...['duplicate-webhooks', 'late-webhooks', 'lost-webhooks', 'tampered-webhooks', 'forged-webhooks'],
  ...['webhook-before-answer', 'slow', 'flaky', 'outage', 'rate-limited', 'timeout-after-payment'],
  ...['settlement-mismatches', 'bank-statement-mismatches', 'settlement-report-late', 'settlement-corrected'],
  'settlement-announced',
];
const BEHAVIOURS = [
  ...['standard', 'notified-once-unsigned', 'notified-three-times', 'notified-every-second', 'notified-for-a-day'],
  ...['notified-for-five-days', 'notified-by-put-with-hash', 'only-200-within-two-seconds', 'thirty-seconds-to-answer'],
  ...['queue-halts-after-15-failures', 'endpoint-switched-off-after-a-day', 'status-lags', 'notification-lags'],
  ...['calls-time-out', 'slow-calls', 'unknown-codes', 'notified-in-other-json'],
];
const REFUSALS = [
  ...['malformed-body', 'invalid-field', 'wrong-credentials', 'bad-bearer', 'merchant-not-activated'],
  ...['forbidden-origin', 'unknown-path', 'unknown-record', 'wrong-method', 'conflict', 'session-ended'],
  ...['body-too-large', 'wrong-media-type', 'business-rule', 'expectation-failed', 'too-many-sessions'],
  ...['internal-error', 'moved', 'stopping', 'storage', 'overloaded', 'unreadable-session', 'outcome-unknown'],
];
const FINDINGS = [
  ...['unknown-member', 'repeated-name', 'needless-member', 'read-leniently', 'wrong-content-type', 'more-findings'],
  ...['shared-reference', 'blind-retry', 'retry-under-another-reference', 'status-asked-too-often'],
  ...['national-mobile-number', 'empty-payer-name', 'mixed-environments', 'token-for-every-call'],
  ...['expired-token-again', 'key-in-address', 'outcome-never-learned', 'slow-receiver', 'redirecting-receiver'],
  ...['forgery-acknowledged', 'ambiguous-settle', 'json-only-client'],
];

const idsWith = (letter: string, names: readonly string[]) =>
  names.map((name, index) => [`SBX-${letter}${String(index + 1).padStart(2, '0')}`, name]);
const EXPECTED = [
  ...idsWith('B', BEHAVIOURS),
  ...idsWith('R', REFUSALS),
  ...idsWith('S', SCENARIOS),
  ...idsWith('W', FINDINGS),
];

async function explain(...words: string[]) {
  return runCommand(['explain', ...words]);
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('explain', () => {
  it('lists by id each shipped scenario and behaviour, refusal and finding, without a sandbox', async () => {
    const all: Explanation[] = JSON.parse((await explain('--json')).stdout);
    expect(all.map(({ id, name }) => [id, name])).toEqual(EXPECTED);
    const { scenarios, behaviours } = await loadFixtures();
    const knownNames = [
      ...scenarios.keys(),
      ...behaviours.keys(),
      ...Object.keys(REFUSAL_KINDS),
      ...Object.keys(FINDING_KINDS),
    ];
    expect(all.map(({ name }) => name).toSorted()).toEqual(knownNames.toSorted());
    expect(all.filter(({ description, advice }) => !description || !advice)).toEqual([]);
  });

  it.each([['SBX-S20'], ['sbx-s20'], ['forged-webhooks']])(
    'shows the meaning of %s, what to do and how to choose it',
    async (word) => {
      const { stdout } = await explain(word);
      expect(stdout).toContain('SBX-S20  forged-webhooks (scenario)');
      expect(stdout).toContain('What to do: Check the signature and the age of the timestamp');
      expect(stdout).toContain('  merchant-sandbox scenario forged-webhooks\n');
      expect(stdout).toContain('"mode": "forged"');
    },
  );

  it.each(SCENARIOS.filter((name) => /settlement|statement/.test(name)))(
    'names no header and no tag for %s, because settlements follow the scenario of the session',
    async (name) => {
      const { stdout } = await explain(name);
      expect(stdout).toContain(`  merchant-sandbox scenario ${name}\n  PUT /_sandbox/scenario {"name":"${name}"}\n\n`);
    },
  );

  it('suggests an existing id for an unknown one', async () => {
    const { code, stderr } = await explain('forged-webhook');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown id or name "forged-webhook", did you mean forged-webhooks?');
  });
});

describe('an id of a scenario, behaviour, refusal or finding', () => {
  it.each(EXPECTED)('%s has a page in the guide that names %s', async (id = '', name = '') => {
    const { status, text } = await request(sandbox.url).get(`/_sandbox/guide/${id}`);
    expect([status, text.includes(`${id}: ${name}</h1>`)]).toEqual([200, true]);
  });

  it('is in refusals, and in the lists of scenarios and behaviours', async () => {
    const { client } = sandbox;
    await expect(client.useScenario('none')).rejects.toMatchObject({ problem: { id: 'SBX-R02' } });
    expect((await client.scenarios()).items).toContainEqual(
      expect.objectContaining({ id: 'SBX-S02', name: 'auto-approve' }),
    );
    expect((await client.behaviours()).items).toContainEqual(
      expect.objectContaining({ id: 'SBX-B12', name: 'status-lags' }),
    );
    const refused = await request(sandbox.url).post('/sandbox/init/authenticate/merchant/wallet').send({});
    expect(refused.headers['x-sandbox-outcome']).toBe('refused: invalid-field (SBX-R02)');
  });

  it('of a finding is in the header of the answer, in the request log and in the output of the command requests', async () => {
    const accepted = await request(sandbox.url)
      .post('/sandbox/init/authenticate/merchant/wallet')
      .send({ ...single(), colour: 'red' });
    expect(accepted.headers['x-sandbox-warnings']).toMatch(/^SBX-W01 \$\.colour: expected no such field/);
    const id = `${accepted.headers['x-sandbox-request']}`;
    const { findings } = await sandbox.client.call<{ findings: unknown }>('GET', `/requests/${id}`);
    expect(findings).toEqual([expect.objectContaining({ path: '$.colour', id: 'SBX-W01' })]);
    const { stdout } = await runCommand(['requests', id, '--url', sandbox.url]);
    expect(stdout).toContain('warning SBX-W01: ');
  });
});
