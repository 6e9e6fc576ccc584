import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installationKey } from '../../../src/server/store/installation-key.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();
const dataFile = () => join(newFolder(), 'state.json');

it('is made once for each data file, for its owner alone', () => {
  const [data, other] = [dataFile(), dataFile()];
  const key = installationKey(data);
  expect(key).toHaveLength(32);
  expect(installationKey(data)).toEqual(key);
  expect(installationKey(other)).not.toEqual(key);
  expect(statSync(`${data}.key`).mode & 0o777).toBe(0o600);
});

it('is another one in every process that keeps nothing', () => {
  expect(installationKey(':memory:')).not.toEqual(installationKey(':memory:'));
});

it.each(['', 'short', 'x'.repeat(64)])('the installation key is generated again when its file contains %j', (text) => {
  const data = dataFile();
  writeFileSync(`${data}.key`, text);
  const key = installationKey(data);
  expect(installationKey(data)).toEqual(key);
});

it('replaces nothing that is no file', () => {
  const data = dataFile();
  mkdirSync(`${data}.key`);
  expect(() => installationKey(data)).toThrow('is no regular file');
  expect(statSync(`${data}.key`).isDirectory()).toBe(true);
});
