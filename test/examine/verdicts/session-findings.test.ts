import { CALL_KINDS } from '../../../src/base/finding-kinds.ts';
import { caseOf } from '../../../src/examine/cases/case.ts';
import { NOTHING_SEEN, type Observation } from '../../../src/examine/observation/observation.ts';
import { SessionFindings } from '../../../src/examine/verdicts/session-findings.ts';

type Finding = Observation['requests'][number]['findings'][number];

const UNKNOWN: Finding = {
  id: CALL_KINDS['unknown-member'].id,
  path: '$.foo',
  expected: 'no such field',
  received: 'an unknown field',
  severity: 'warning',
};

function collect(subject: 'shop' | 'receiver', ...findings: Finding[]) {
  const collected = new SessionFindings(subject);
  const requests = [{ findings }] as unknown as Observation['requests'];
  collected.add(caseOf([]), 'qr-wallet', { ...NOTHING_SEEN, requests });
  return collected.all;
}

it('an unknown field in a call of the shop is reported with its path', () => {
  expect(collect('shop', UNKNOWN)).toMatchObject([
    {
      id: 'SBX-W01',
      name: 'unknown-member',
      expected: 'no such field at $.foo',
      situation: 'paid',
      channel: 'qr-wallet',
    },
  ]);
});

it('each kind of finding is reported once', () => {
  expect(collect('shop', UNKNOWN, { ...UNKNOWN, path: '$.bar' })).toHaveLength(1);
});

it('the reason for a refusal is not reported, because the verdicts have it', () => {
  expect(collect('shop', { ...UNKNOWN, severity: 'error', id: 'SBX-R02' })).toEqual([]);
});

it('findings in a probe are not reported, because the probe requests the payments itself', () => {
  expect(collect('receiver', UNKNOWN)).toEqual([]);
});
