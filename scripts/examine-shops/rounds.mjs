// Checks that an examination is repeatable: the same shop has the same verdicts each time, also while another examination runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examine, forEach } from './examine.mjs';

/** Two examinations of one shop, each with its own port and data, must not affect each other. */
const MIN_CONCURRENCY = 2;

/**
 * Examines a shop several times, and returns a line for each verdict that is not as in the first round. If the shop runs its job by
 * itself, the job may run before `reconcile` or not, so either verdict counts as handled.
 * @param {Pick<import('./shops.mjs').Shop, 'name' | 'adapter' | 'command' | 'hasOwnJob'>} shop
 * @param {{ rounds: number, atOnce: number, folder: string, args: string[] }} options
 * @returns {Promise<string[]>}
 */
export async function changedVerdicts({ name, hasOwnJob = false, ...shop }, { rounds, atOnce, folder, args }) {
  /** @type {Map<string, string> | undefined} */
  let first;
  /** @type {string[]} */
  const changed = [];
  await forEach(
    Array.from({ length: rounds }, (_, index) => index + 1),
    Math.max(MIN_CONCURRENCY, atOnce),
    () => examine({ ...shop, folder, args }),
    (round, { verdicts }) => {
      const current = new Map(verdicts.map(({ id, verdict, note = '' }) => [id, `${verdict} ${note}`]));
      first ??= current;
      const verdictWord = (/** @type {string | undefined} */ verdict) => {
        const word = verdict?.split(' ')[0] ?? 'not tried';
        return hasOwnJob && word === 'handled-after-reconcile' ? 'handled' : word;
      };
      for (const id of new Set([...first.keys(), ...current.keys()])) {
        if (verdictWord(first.get(id)) !== verdictWord(current.get(id))) {
          changed.push(
            `${name}, round ${round}: ${id} was ${verdictWord(first.get(id))}, and is ${current.get(id) ?? 'not tried'}`,
          );
        }
      }
      console.log(`round ${round} of ${name}: ${verdicts.length} verdicts`);
    },
  );
  return changed;
}

/**
 * Examines a faulty shop, and again with the report as the baseline, which must accept each violation. Returns the problems.
 * @param {Pick<import('./shops.mjs').Shop, 'name' | 'adapter' | 'command'>} shop
 * @param {{ folder: string, args: string[] }} options
 * @returns {Promise<string[]>}
 */
export async function baselineProblems({ name, ...shop }, { folder, args }) {
  const first = await examine({ ...shop, folder, args });
  const baseline = join(folder, 'baseline.json');
  writeFileSync(baseline, JSON.stringify(first));
  const again = await examine({ ...shop, folder, args: [...args, '--baseline', baseline] });
  const exitCodes = [first.code, again.code].join(', then ');
  return exitCodes === '1, then 0'
    ? []
    : [`${name}: the exit code is ${exitCodes} with the report as the baseline, not 1, then 0`];
}
