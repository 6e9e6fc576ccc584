import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { single } from '../interface/calls.ts';
import { runProgram, startProgram } from '../running.ts';
import { startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
let file: string;
beforeAll(async () => {
  const sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
  await request(sandbox.url).post('/sandbox/init/authenticate/merchant/wallet').send(single());
  file = join(newFolder(), 'bug.ndjson');
  writeFileSync(file, await sandbox.client.bundle());
  await sandbox.close();
});

describe('open', () => {
  it('prints the address of the console at the last call, serves it, and ends with SIGTERM', async () => {
    const program = await startProgram('open', file, '--no-browser');
    const [address = ''] = /http:\S+\/s\/default\/_sandbox\/console\/traffic\/request-1/.exec(program.output()) ?? [];
    expect(program.output()).toContain(`${file}: session default, 2 steps\n`);
    const [page, logged, clock] = await Promise.all(
      [address, `${program.url}/_sandbox/requests/request-1`, `${program.url}/_sandbox/clock`].map((each) =>
        fetch(each),
      ),
    );
    expect([page?.status, page?.headers.get('content-type'), logged?.status]).toEqual([
      200,
      expect.stringContaining('text/html'),
      200,
    ]);
    expect(await clock?.json()).toMatchObject({ mode: 'frozen', now: '2026-03-01T10:00:00.000Z' });
    expect(await program.end('SIGTERM')).toBe(0);
  });

  it('prints the session, its last call and the number of its steps as JSON', async () => {
    const program = await startProgram('open', file, '--no-browser', '--json');
    expect(JSON.parse(program.output())).toMatchObject({ session: 'default', lastCall: 'request-1', steps: 2 });
    await program.end('SIGTERM');
  });

  it('prints a command that forks the session', async () => {
    const program = await startProgram('open', file, '--no-browser');
    const [, command = ''] = /merchant-sandbox (fork .*)/.exec(program.output()) ?? [];
    const args = command.replace('<step>', 'request-1').replace('<name>', 'what-if').split(' ');
    expect(await runProgram(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('what-if, from default') });
    await program.end('SIGTERM');
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['not a bundle', () => 'hello', /cannot be opened: line 1 is not JSON/],
    ['of another format', (text) => text.replace('"format":3', '"format":2'), /cannot be opened: line 1: format 2/],
  ])('reports why a file that is %s cannot be opened', async (_title, change, words) => {
    const other = join(newFolder(), 'other.ndjson');
    writeFileSync(other, change(readFileSync(file, 'utf8')));
    expect(await runProgram(['open', other])).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
  });

  it('reports a missing file and an invalid port', async () => {
    const missing = await runProgram(['open', join(newFolder(), 'none')]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
    const port = await runProgram(['open', file, '--port', '70000']);
    expect([port.code, port.stderr]).toEqual([2, expect.stringContaining('--port')]);
  });
});
