// Examines correct and faulty shops, and prints which invariant detected which shop. The exit code is 1 if a correct shop violates an
// invariant, a faulty shop is not detected by its invariant, or an invariant of the current requirements detects no shop.
//   npm run examine-shops [-- --only <words of a name>] [--channel mobile-money] [--budget 1ms] [--at-once 2]
//   npm run examine-shops -- --seeds 100     only the correct shops, with each seed from 1
//   npm run examine-shops -- --rounds 20     only whether the verdicts of correct shops repeat, and a baseline accepts those of a faulty one
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { examine, forEach } from './examine-shops/examine.mjs';
import { applyMutant, MUTANTS } from './examine-shops/mutants.mjs';
import { baselineProblems, changedVerdicts } from './examine-shops/rounds.mjs';
import { canRun, SHOPS } from './examine-shops/shops.mjs';

const invariantsIn = (/** @type {string} */ file) =>
  [...readFileSync(file, 'utf8').matchAll(/^ {4}id: '(I\d+)',$/gm)].map(([, id = '']) => id);
const REQUIRED_INVARIANTS = invariantsIn('src/examine/verdicts/invariants.ts');
const INVARIANTS = [...REQUIRED_INVARIANTS, ...invariantsIn('src/examine/verdicts/next-invariants.ts')];
/** Verdicts that a correct shop may get, also one without notifications. */
const CORRECT_VERDICTS = ['handled', 'handled-after-reconcile', 'not-applicable'];
/** Races of returns need a page to which the payer returns, which most of these shops do not have. */
const isRaceWithoutReturn = (/** @type {import('./examine-shops/examine.mjs').CaseVerdict} */ { situation, verdict }) =>
  situation.startsWith('race-') && verdict === 'not-exercised';
const BASELINE_MUTANT = 'fulfils again with each notification';
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    channel: { type: 'string', default: 'mobile-money' },
    budget: { type: 'string', default: '1ms' },
    seeds: { type: 'string' },
    rounds: { type: 'string' },
    'at-once': { type: 'string', default: String(availableParallelism()) },
  },
});
const isWanted = (/** @type {{ name: string }} */ { name }) => name.includes(values.only);
const atOnce = Number(values['at-once']);
const commonArgs = ['--only', values.channel, '--budget', values.budget];
const folder = mkdtempSync(join(tmpdir(), 'examine-shops-'));

let problems = 0;
const reportProblem = (/** @type {string} */ line) => {
  problems += 1;
  console.log(`WRONG  ${line}`);
};
const seconds = (/** @type {number} */ milliseconds) => (milliseconds / 1000).toFixed(1);

const correctShops = () =>
  SHOPS.filter(isWanted).filter((shop) => {
    const canStart = canRun(shop);
    if (!canStart) {
      console.log(`skipped: ${shop.name}, because this machine has no suitable ${shop.needs[0]}`);
    }
    return canStart;
  });

/** @param {import('./examine-shops/mutants.mjs').Mutant} mutant */
function faultyShop(mutant) {
  const shop = join(folder, `shop-${MUTANTS.indexOf(mutant)}.mjs`);
  writeFileSync(shop, applyMutant(mutant, readFileSync('scripts/examine-shops/shop/shop.mjs', 'utf8')));
  const command = `"${process.execPath}" "${shop}"`;
  return { name: mutant.name, adapter: 'scripts/examine-shops/shop/examine.mjs', command };
}

async function examineRounds(/** @type {number} */ rounds) {
  for (const shop of correctShops()) {
    const changed = await changedVerdicts(shop, { rounds, atOnce, folder, args: commonArgs });
    changed.forEach(reportProblem);
    console.log(`rounds  ${shop.name}: ${rounds}, ${changed.length} changed verdicts`);
  }
  for (const mutant of MUTANTS.filter(({ name }) => name === BASELINE_MUTANT)) {
    (await baselineProblems(faultyShop(mutant), { folder, args: commonArgs })).forEach(reportProblem);
  }
}

async function examineCorrectShops() {
  const shops = correctShops();
  const seeds = Array.from({ length: Number(values.seeds ?? 1) }, (_, index) => index + 1);
  const runs = seeds.flatMap((seed) => shops.map((shop) => ({ shop, seed })));
  const totals = new Map(shops.map(({ name }) => [name, { orders: 0, verdicts: 0, unhandled: 0, milliseconds: 0 }]));
  await forEach(
    runs,
    atOnce,
    ({ shop, seed }) => examine({ ...shop, folder, args: [...commonArgs, '--seed', `${seed}`] }),
    ({ shop: { name }, seed }, { verdicts, cases, milliseconds }) => {
      const unhandled = verdicts.filter(
        (each) => !CORRECT_VERDICTS.includes(each.verdict) && !isRaceWithoutReturn(each),
      );
      for (const { id, verdict, note = '' } of unhandled) {
        reportProblem(`${name}, seed ${seed}: ${id} is ${verdict} ${note}`);
      }
      console.log(
        `correct ${name}, seed ${seed}: ${verdicts.length} verdicts, ${unhandled.length} of them not handled`,
      );
      const total = totals.get(name);
      if (total) {
        total.orders += cases;
        total.verdicts += verdicts.length;
        total.unhandled += unhandled.length;
        total.milliseconds += milliseconds;
      }
    },
  );
  for (const [name, { orders, verdicts, unhandled, milliseconds }] of totals) {
    const counts = `${seeds.length} seeds, ${orders} orders, ${verdicts} verdicts, ${unhandled} of them not handled`;
    console.log(`correct ${name}: ${counts}, ${seconds(milliseconds)} s`);
  }
}

async function examineMutants() {
  const shopsByInvariant = new Map(INVARIANTS.map((id) => [id, 0]));
  const mutants = MUTANTS.filter(isWanted);
  console.log(
    `\n${INVARIANTS.map((id) => id.padEnd(4)).join('')}faulty shop (x: detected by the invariant, X: by the one that is meant for it)`,
  );
  await forEach(
    mutants,
    atOnce,
    (mutant) => examine({ ...faultyShop(mutant), folder, args: commonArgs }),
    ({ name, killedBy }, { verdicts }) => {
      const violated = new Set(
        verdicts.filter(({ verdict }) => verdict === 'violated').map(({ invariant }) => invariant),
      );
      for (const id of violated) {
        shopsByInvariant.set(id, (shopsByInvariant.get(id) ?? 0) + 1);
      }
      const mark = (/** @type {string} */ id) => (violated.has(id) ? (id === killedBy ? 'X' : 'x') : '.');
      console.log(`${INVARIANTS.map((id) => mark(id).padEnd(4)).join('')}${name}`);
      if (!violated.has(killedBy)) {
        reportProblem(`not detected: ${name}; ${killedBy} should detect it`);
      }
    },
  );
  console.log(`${INVARIANTS.map((id) => String(shopsByInvariant.get(id)).padEnd(4)).join('')}of ${mutants.length}`);
  for (const id of REQUIRED_INVARIANTS.filter((id) => values.only === '' && shopsByInvariant.get(id) === 0)) {
    reportProblem(`${id} detects no shop`);
  }
}

if (values.rounds !== undefined) {
  await examineRounds(Number(values.rounds));
} else {
  await examineCorrectShops();
  if (values.seeds === undefined) {
    await examineMutants();
  }
}
rmSync(folder, { recursive: true });
process.exitCode = problems === 0 ? 0 : 1;
