// `npm run check-money -- --histories 2000 --seed S`: random histories, compared with a model in Python that only reads files.
// `--only N` plays only the history with this number; `--keep` does not delete its files.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkHistories } from './check-money/check-histories.mjs';
import { requirePython } from './check-money/python.mjs';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const first = values.only === undefined ? 0 : Number(values.only);
const count = values.only === undefined ? Number(values.histories) : 1;
if (![seed, first, count].every(Number.isSafeInteger) || count < 1) {
  console.error('--histories, --seed and --only are whole numbers');
  process.exit(2);
}
requirePython();
const folder = mkdtempSync(join(tmpdir(), 'check-money-'));
console.log(`${count} histories from seed ${seed}`);
try {
  process.exitCode = (await checkHistories({ seed, first, count, folder, keep: values.keep, log: console.log }))
    ? 0
    : 1;
} finally {
  if (values.keep) {
    console.log(`files: ${folder}`);
  } else {
    rmSync(folder, { recursive: true });
  }
}
