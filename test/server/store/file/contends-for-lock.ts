// One of several processes that repeatedly lock the same file. The owner checks that no other process owns it too, and then "dies":
// it writes an unused process id into its lock, so that the others take it over. Arguments: file, rounds.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { lockFile } from '../../../../src/server/store/file/lock.ts';

const [file = '', rounds] = process.argv.slice(2);
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
for (let round = 0; round < Number(rounds); ) {
  try {
    await lockFile(file);
  } catch {
    await new Promise((resolve) => setImmediate(resolve));
    continue;
  }
  round += 1;
  try {
    writeFileSync(`${file}.inside`, String(process.pid), { flag: 'wx' });
    rmSync(`${file}.inside`);
  } catch {
    process.stdout.write('another process owned the lock, too\n');
  }
  const staleFile = `${file}.left-by-${process.pid}`;
  writeFileSync(staleFile, JSON.stringify({ pid: 2 ** 30, started: '', token: `${process.pid}-${round}` }));
  renameSync(staleFile, `${file}.lock`);
}
process.stdout.write('done\n');
process.exit(0);
