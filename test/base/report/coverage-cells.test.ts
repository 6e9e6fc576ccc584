import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type CoverageCell, coverageOf, type Degree, mergeCoverages } from '../../../src/base/report/coverage-cells.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { allFlows } from '../../../src/server/domain/channels/channels.ts';
import { CoverageRecorder } from '../../../src/server/findings/coverage/coverage-recorder.ts';
import { cases } from '../../cases.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();

const DEGREES: readonly Degree[] = ['never', 'produced', 'delivered', 'seen'];

const cell = (what: string, degree: Degree, of = 'qr-wallet'): CoverageCell => ({
  class: 'outcomes',
  of,
  what,
  degree,
  try: '',
});

const workers = fc.array(
  fc.array(fc.constantFrom(...DEGREES), { minLength: 3, maxLength: 3 }).map((degrees) => ({
    cells: degrees.map((degree, index) => cell(`Failed ${index}`, degree)),
  })),
  { minLength: 1, maxLength: 6 },
);

it('the merged coverage of workers is the same in any order, even if a worker is included twice', () => {
  fc.assert(
    fc.property(workers, fc.infiniteStream(fc.nat()), (coverages, draw) => {
      const shuffled = [...coverages, ...coverages].sort(() => (draw.next().value % 2) * 2 - 1);
      expect(mergeCoverages(shuffled)).toEqual(mergeCoverages(coverages));
      expect(mergeCoverages([mergeCoverages(coverages.slice(0, 2)), mergeCoverages(coverages.slice(2))])).toEqual(
        mergeCoverages(coverages),
      );
    }),
    { numRuns: cases(100) },
  );
});

it('a merged cell has the highest degree that any worker reached', () => {
  const { cells, classes } = mergeCoverages([
    { cells: [cell('Paid 00', 'produced'), cell('Failed 05', 'seen')] },
    { cells: [cell('Paid 00', 'delivered'), cell('Failed 05', 'never')] },
  ]);
  expect(cells.map(({ degree }) => degree)).toEqual(['delivered', 'seen']);
  expect(classes).toEqual([{ class: 'outcomes', seen: 1, reachable: 2 }]);
});

it('the coverage weights each class equally, and is 100 only if everything was seen', () => {
  const fault = { ...cell('reset', 'seen', 'getAccessToken'), class: 'faults' } as const;
  const outcomes = ['1', '2', '3', '4'].map((what) => cell(what, 'never'));
  expect(coverageOf([fault, ...outcomes]).percent).toBe(50);
  expect(coverageOf([fault, fault, cell('a', 'seen'), cell('b', 'seen'), cell('c', 'seen')]).percent).toBe(100);
  expect(coverageOf([]).percent).toBe(0);
});

const cellsWith = (seen: number, reachable: number): CoverageCell[] =>
  Array.from({ length: reachable }, (_, index) => cell(String(index), index < seen ? 'seen' : 'never'));

it.each([
  [249, 250, 99],
  [999, 1000, 99],
  [1000, 1000, 100],
  [29, 50, 58],
  [57, 100, 57],
  [579, 1000, 57],
])('a coverage of %d of %d cells is rounded down to a whole percentage: %d', (seen, reachable, percent) => {
  expect(coverageOf(cellsWith(seen, reachable)).percent).toBe(percent);
});

/** All reachable cells with the fixtures of a folder, merged over the shipped ones. */
async function reachable(folder?: string): Promise<string[]> {
  const fixtures = await loadFixtures(folder);
  const { cells } = new CoverageRecorder(
    () => fixtures,
    () => {},
  ).coverage;
  return cells.map(({ class: name, of, what }) => `${name} ${of} ${what}`);
}

it('the reachable cells follow from the fixtures, and each is listed once', async () => {
  const names = await reachable();
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      'outcomes mobile-money Failed 14',
      'outcomes card-switch Failed 800.100.157',
      'outcomes payouts Paid',
      'outcomes payouts Failed AC04',
      'outcomes payouts Returned AC04',
      'faults initiatePayment done all the same',
      'notifications payment.refunded dropped',
      'pages /pay/checkout cancel',
    ]),
  );
});

it.each([
  ['a call that only reads has no such fault', 'faults getPaymentStatus done all the same'],
  ['the status of a payout cannot be queried', 'notifications payout.paid dropped'],
  ['no limits are set', 'outcomes qr-wallet Failed 61'],
  ['transfers are not notified', 'notifications settlement.paid normal'],
  ['an earlier rule of the scenario takes the channel', 'outcomes card-switch Failed 05'],
])('an unreachable cell is not listed: %s', async (_title, name) => {
  expect(await reachable()).not.toContain(name);
});

it('the coverage knows the buttons of every page that accepts a form', () => {
  const forms = allFlows().flatMap(({ pages }) => pages.filter(({ method }) => method === 'POST'));
  expect(forms.filter(({ actions }) => !actions?.length)).toEqual([]);
});

it('the coverage omits returned credits when credits are not notified, because nothing else reports them', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'payouts.json'), JSON.stringify({ notifyCredits: false }));
  const names = (await reachable(folder)).filter((name) => name.startsWith('outcomes payouts'));
  expect(names).toContain('outcomes payouts Failed AC04');
  expect(names.filter((name) => name.includes('Returned'))).toEqual([]);
});

it('the reachable cells include those that custom fixtures add', async () => {
  const folder = newFolder();
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
  write('settlement.json', { notify: true });
  write('payer-limits.json', { limits: [{ maxPayment: 100 }] });
  mkdirSync(join(folder, 'scenarios'));
  const settle = { outcome: 'Failed', after: 'PT1S', code: '96' };
  write('scenarios/own.json', {
    name: 'own',
    description: 'Own.',
    rules: [{ when: { channel: 'qr-wallet' }, settle }],
  });
  const shipped = new Set(await reachable());
  expect((await reachable(folder)).filter((name) => !shipped.has(name))).toEqual([
    'outcomes qr-wallet Failed 96',
    'outcomes qr-wallet Failed 61',
    'outcomes qr-wallet Failed 65',
    'outcomes mobile-money Failed 61',
    'outcomes mobile-money Failed 65',
    ...['card-switch', 'card-network-a', 'card-network-b'].flatMap((channel) => [
      `outcomes ${channel} Failed 800.100.162`,
      `outcomes ${channel} Failed 800.100.163`,
    ]),
    'notifications settlement.paid normal',
    'notifications settlement.returned normal',
  ]);
});
