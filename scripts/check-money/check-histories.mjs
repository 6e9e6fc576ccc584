import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../dist/index.js';
import { historyOf } from './histories.mjs';
import { play } from './play.mjs';
import { askTheModel } from './python.mjs';
import { shrink } from './shrink.mjs';
import { writeTerms } from './terms.mjs';

/** The number of histories that are kept in memory and checked together. */
const BATCH = 50;

/** Resolves with whether the model agrees with all histories from `first`; prints the first disagreement. */
export async function checkHistories({ seed, first, count, folder, keep, log }) {
  const terms = join(folder, 'terms');
  const written = writeTerms(terms, seed);
  const sandboxes = await startAll(written);
  const playOne = (history) => play(history, sandboxes[history.terms].sandbox, sandboxes[history.terms].currencies);
  const ask = (name, played) => {
    const file = join(folder, `${name}.jsonl`);
    writeFileSync(file, played.map((each) => `${JSON.stringify(each)}\n`).join(''));
    return askTheModel(file, terms).finally(() => keep || rmSync(file));
  };
  const sums = { histories: 0, lines: 0, entries: 0 };
  const collect = (verdict) => {
    for (const key of Object.keys(sums)) {
      sums[key] += verdict[key];
    }
    return verdict.disagreements[0];
  };
  let disagreement;
  let pendingVerdict = Promise.resolve({ ...sums, disagreements: [] });
  try {
    for (let from = first; from < first + count && !disagreement; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, first + count - from) }, (_, at) => from + at);
      const played = [];
      for (const number of numbers) {
        played.push(await playOne(historyOf(seed, number, Object.keys(written))));
      }
      // The model checks a batch while the next one is played.
      disagreement = collect(await pendingVerdict);
      pendingVerdict = ask(`histories-${from}`, played);
    }
    disagreement ??= collect(await pendingVerdict);
    if (disagreement) {
      await explain({ disagreement, seed, terms: Object.keys(written), playOne, ask, log });
      return false;
    }
    const number = (value) => value.toLocaleString('en-US');
    log(
      `${number(sums.histories)} histories, ${number(sums.lines)} lines, ${number(sums.entries)} entries: the model agrees`,
    );
    return true;
  } finally {
    await Promise.allSettled([pendingVerdict]);
    await Promise.all(Object.values(sandboxes).map(({ sandbox }) => sandbox.close()));
  }
}

async function startAll(written) {
  const started = {};
  for (const [name, { overlay, all }] of Object.entries(written)) {
    const { currencies } = JSON.parse(readFileSync(join(all, 'currencies.json'), 'utf8'));
    started[name] = {
      sandbox: await startSandbox({ fixtures: overlay, logLevel: 'error' }),
      currencies: currencies.map(({ currencyCode }) => currencyCode),
    };
  }
  return started;
}

/** Prints the shortest history that still shows the disagreement, and the command to repeat it. */
async function explain({ disagreement, seed, terms, playOne, ask, log }) {
  const number = Number(disagreement.seed.split('-')[1]);
  const differs = async (history) => {
    const { disagreements } = await ask('shrinking', [await playOne(history)]);
    return disagreements.find(({ check }) => check === disagreement.check);
  };
  const { history, found } = await shrink(historyOf(seed, number, terms), disagreement, differs);
  const { steps, ...facts } = history;
  log(`\nthe model disagrees (${found.check}): ${found.text}\n`);
  log(`history ${number}: ${JSON.stringify(facts)}`);
  for (const step of steps) {
    log(`  ${JSON.stringify(step)}`);
  }
  log(`\nplay it again: npm run check-money -- --seed ${seed} --only ${number} --keep`);
}
