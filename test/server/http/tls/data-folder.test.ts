import { homedir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../../../src/server/http/tls/data-folder.ts';

it.each([
  ['linux', {}, join(homedir(), '.local', 'share', 'merchant-sandbox')],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/merchant-sandbox'],
  ['linux', { XDG_DATA_HOME: '' }, join(homedir(), '.local', 'share', 'merchant-sandbox')],
  ['linux', { XDG_DATA_HOME: 'relative' }, join(homedir(), '.local', 'share', 'merchant-sandbox')],
  ['darwin', { XDG_DATA_HOME: '/data' }, join(homedir(), 'Library', 'Application Support', 'merchant-sandbox')],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/merchant-sandbox'],
  ['win32', {}, join(homedir(), 'AppData', 'Local', 'merchant-sandbox')],
])("the folder of the CA is among the user's data on %s with %j", (platform, environment, folder) => {
  expect(dataFolder(environment, platform)).toBe(folder);
});
