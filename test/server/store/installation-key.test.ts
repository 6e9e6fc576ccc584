import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadOrCreateInstallationKey } from '../../../src/server/store/installation-key.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();
const dataFile = () => join(newFolder(), 'state.json');

it('the installation key is created once for each data file, readable only by its owner', () => {
  const [data, other] = [dataFile(), dataFile()];
  const key = loadOrCreateInstallationKey(data);
  expect(key).toHaveLength(32);
  expect(loadOrCreateInstallationKey(data)).toEqual(key);
  expect(loadOrCreateInstallationKey(other)).not.toEqual(key);
  expect(statSync(`${data}.key`).mode & 0o777).toBe(0o600);
});

it('the installation key is different each time without a data file', () => {
  expect(loadOrCreateInstallationKey(':memory:')).not.toEqual(loadOrCreateInstallationKey(':memory:'));
});

it.each(['', 'short', 'x'.repeat(64)])('the installation key is generated again when its file contains %j', (text) => {
  const data = dataFile();
  writeFileSync(`${data}.key`, text);
  const key = loadOrCreateInstallationKey(data);
  expect(loadOrCreateInstallationKey(data)).toEqual(key);
});

it('the installation key does not replace anything that is not a file', () => {
  const data = dataFile();
  mkdirSync(`${data}.key`);
  expect(() => loadOrCreateInstallationKey(data)).toThrow('is not a regular file');
  expect(statSync(`${data}.key`).isDirectory()).toBe(true);
});
