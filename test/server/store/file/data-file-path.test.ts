import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const newFolder = temporaryFolders();
const open = (file: string) => openStore({ file, syncToDisk: false, onWarning: () => undefined });
const makePipe = (path: string) => execFileSync('mkfifo', [path]);

it.each<[string, string, (path: string) => void, RegExp]>([
  ['it is a pipe', '', makePipe, /is a pipe/],
  ['it is a folder', '', (path) => mkdirSync(path), /is a folder/],
  ['it is a link to a pipe', '', (path) => [makePipe(`${path}.pipe`), symlinkSync(`${path}.pipe`, path)], /is a pipe/],
  [
    'its journal is a link to a file',
    '.journal',
    (path) => {
      writeFileSync(`${path}.target`, '');
      symlinkSync(`${path}.target`, path);
    },
    /journal is a link; name another file/,
  ],
  ['it is a link that leads nowhere', '', (path) => symlinkSync('nowhere', path), /is a link that leads nowhere/],
  ['its journal is a pipe', '.journal', makePipe, /state\.json\.journal is a pipe/],
  ['the temporary file for its next version is a pipe', '.new', makePipe, /state\.json\.new is a pipe/],
  ['its lock is a folder', '.lock', (path) => mkdirSync(path), /state\.json\.lock is a folder/],
])('a data file is refused at once, and nothing is changed, if %s', async (_title, suffix, make, words) => {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  make(file + suffix);
  const before = readdirSync(folder).map((name) => [name, lstatSync(join(folder, name)).ino]);
  await expect(open(file)).rejects.toMatchObject({ name: 'StoreError', file, message: expect.stringMatching(words) });
  expect(readdirSync(folder).map((name) => [name, lstatSync(join(folder, name)).ino])).toEqual(before);
});

it('a data file below a file is refused', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'note'), '');
  await expect(open(join(folder, 'note', 'state.json'))).rejects.toThrow(`${join(folder, 'note')} is not a folder`);
});

it('a socket is refused as a data file, and not changed', async () => {
  const file = join(newFolder(), 'state.json');
  const server = createServer().listen(file);
  await once(server, 'listening');
  await expect(open(file)).rejects.toThrow(/is a socket/);
  expect(lstatSync(file).isSocket()).toBe(true);
  server.close();
});
