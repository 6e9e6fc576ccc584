// Waits until its standard input is closed, at the latest when the process that started a server ends; then stops the server and
// removes its folder. Arguments: folder, user and group; input: a line that names pg_ctl and the data.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const [folder, uid, gid] = process.argv.slice(2);
const [line] = (await text(process.stdin)).split('\n');
const user = uid === '' ? {} : { uid: Number(uid), gid: Number(gid) };
if (line !== '') {
  const [program, data] = JSON.parse(line);
  if (existsSync(join(data, 'postmaster.pid'))) {
    const stop = ['stop', '--wait', '--silent', '-D', data, '-m', 'immediate'];
    spawnSync(program, stop, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
// Processes of the server may still write while the files are removed.
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
