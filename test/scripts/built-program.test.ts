import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '../../scripts/build/built-program.mjs';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

it('the built program runs only if it is newer than every source; otherwise the error says what to do', () => {
  const folder = temporaryFolder();
  const write = (file: string, time: number) => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
    utimesSync(join(folder, file), time, time);
  };
  write('src/index.ts', 1000);
  write('src/postgres/store/node-lease.ts', 2000);
  expect(() => builtProgram(folder)).toThrow(/dist\/cli\.js does not exist.*npm run build/);
  write('dist/cli.js', 1999);
  expect(() => builtProgram(folder)).toThrow(/is older than .*src\/postgres\/store\/node-lease\.ts.*npm run build/);
  write('dist/cli.js', 2000);
  expect(builtProgram(folder)).toBe(join(folder, 'dist/cli.js'));
});
