// Examines shops that are right and shops that are wrong, and prints which invariant saw which of them. Ends with 1 where a right
// shop is accused, a wrong one gets away, or an invariant sees nobody.
//   npm run examine-shops [-- --only <words of a name>] [--channel mobile-money]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from './examine-shops/mutants.mjs';
import { SHOPS } from './examine-shops/shops.mjs';

const INVARIANTS = Array.from({ length: 12 }, (_, index) => `I${index + 1}`);
/** What a right shop may be told; it may take no notifications. */
const RIGHT = ['handled', 'handled-after-reconcile', 'not-applicable'];
const { values } = parseArgs({
  options: { only: { type: 'string' }, channel: { type: 'string', default: 'mobile-money' } },
});
const isWanted = (/** @type {string} */ name) => name.includes(values.only ?? '');
const folder = mkdtempSync(join(tmpdir(), 'examine-shops-'));

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/**
 * @param {string} adapter
 * @param {string} command
 * @returns {Promise<{ invariant: string, verdict: string, id: string }[]>}
 */
async function examine(adapter, command) {
  const json = join(folder, 'verdicts.json');
  const args = ['dist/cli.js', 'examine', adapter, '--command', command, '--only', values.channel, '--budget', '1ms'];
  const child = spawn(process.execPath, [...args, '--json', json, '--bundles', join(folder, 'bundles')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(await freePort()) },
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return JSON.parse(readFileSync(json, 'utf8')).verdicts;
}

/** @param {import('./examine-shops/mutants.mjs').Mutant} mutant */
function patched({ name, patches }, /** @type {string} */ source) {
  return patches.reduce((text, [from, to]) => {
    if (!text.includes(from)) {
      throw new Error(`"${name}" is not in the shop any more: ${from}`);
    }
    return text.replace(from, () => to);
  }, source);
}

let problems = 0;
const complain = (/** @type {string} */ line) => {
  problems += 1;
  console.log(`WRONG  ${line}`);
};

for (const { name, adapter, command, isThere } of SHOPS.filter(({ name }) => isWanted(name))) {
  if (!isThere()) {
    console.log(`left out: ${name}, for which this machine has no program`);
    continue;
  }
  const verdicts = await examine(adapter, command);
  const bad = verdicts.filter(({ verdict }) => !RIGHT.includes(verdict));
  console.log(`${verdicts.length} verdicts on the right shop ${name}, ${bad.length} of them not handled`);
  for (const { id, verdict } of bad) {
    complain(`${name}: ${id} is ${verdict}`);
  }
}

const kills = new Map(INVARIANTS.map((id) => [id, 0]));
const source = readFileSync('examples/webhook-first/shop.mjs', 'utf8');
console.log(`\n${INVARIANTS.map((id) => id.padEnd(4)).join('')}the shop that`);
for (const mutant of MUTANTS.filter(({ name }) => isWanted(name))) {
  const shop = join(folder, 'shop.mjs');
  writeFileSync(shop, patched(mutant, source));
  const verdicts = await examine('examples/webhook-first/examine.mjs', `"${process.execPath}" "${shop}"`);
  const violated = new Set(verdicts.filter(({ verdict }) => verdict === 'violated').map(({ invariant }) => invariant));
  for (const id of violated) {
    kills.set(id, (kills.get(id) ?? 0) + 1);
  }
  console.log(`${INVARIANTS.map((id) => (violated.has(id) ? 'x' : '.').padEnd(4)).join('')}${mutant.name}`);
  if (!mutant.killedBy.some((id) => violated.has(id))) {
    complain(`it gets away: ${mutant.name}; ${mutant.killedBy.join(' or ')} should see it`);
  }
}
for (const [id, count] of kills) {
  if (count === 0 && values.only === undefined) {
    complain(`${id} sees nobody`);
  }
}
rmSync(folder, { recursive: true });
process.exitCode = problems === 0 ? 0 : 1;
