import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '../build/built-program.mjs';
import { freePort } from '../free-port.mjs';

/**
 * @typedef {{ id: string, invariant: string, situation: string, verdict: string, note?: string }} CaseVerdict
 * @typedef {{ verdicts: CaseVerdict[], cases: number, milliseconds: number, code: number | null }} Report `code` is the exit code
 */

/**
 * Starts a shop with separate data, and examines it.
 * @param {{ adapter: string, command: string, folder: string, args: string[] }} examined `folder` is for the written files
 * @returns {Promise<Report>}
 */
export async function examine({ adapter, command, folder, args }) {
  const examinationFolder = mkdtempSync(join(folder, 'examination-'));
  const json = join(examinationFolder, 'verdicts.json');
  const files = ['--json', json, '--bundles', join(examinationFolder, 'bundles')];
  const child = spawn(process.execPath, [builtProgram(), 'examine', adapter, '--command', command, ...args, ...files], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PORT: String(await freePort()), SHOP_DATA: join(examinationFolder, 'shop-data') },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-2000);
  });
  const [code] = await once(child, 'close');
  try {
    return { ...JSON.parse(readFileSync(json, 'utf8')), code };
  } catch {
    const failedVerdict = { id: 'examination', invariant: '', situation: '', verdict: 'inconclusive', note: stderr };
    return { verdicts: [failedVerdict], cases: 0, milliseconds: 0, code };
  }
}

/**
 * Runs a function for each item, with limited concurrency, and reports the results in the order of the items.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<Result>} work must not reject
 * @param {(item: Item, result: Result) => void} report
 */
export async function forEach(items, atOnce, work, report) {
  let freeSlots = atOnce;
  /** @type {(() => void)[]} */
  const waiting = [];
  const results = items.map(async (item) => {
    if (freeSlots === 0) {
      await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    } else {
      freeSlots -= 1;
    }
    const result = await work(item);
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      freeSlots += 1;
    }
    return { item, result };
  });
  for (const each of results) {
    const { item, result } = await each;
    report(item, result);
  }
}
