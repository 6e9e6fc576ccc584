import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../../../src/base/schema/validation.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();
const FACTS = { name: 'own', description: 'Ours.', source: 'a guide', date: '2026-03-01' };

/** A folder with the user's behaviours, by file name. */
function folderWith(files: Record<string, object>): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'behaviours'));
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, 'behaviours', name), JSON.stringify(value));
  }
  return folder;
}

const folderWithBehaviour = (members: object) => folderWith({ 'own.json': { ...FACTS, ...members } });

it.each(readdirSync('fixtures/behaviours'))(
  'the behaviour %s fits its schema and has the name of its file',
  async (name) => {
    const behaviour = JSON.parse(readFileSync(join('fixtures/behaviours', name), 'utf8'));
    expect(behaviour.$schema).toBe('../../schemas/fixtures/behaviour.json');
    expect(`${behaviour.name}.json`).toBe(name);
    expect(await validate('fixtures/behaviour', behaviour)).toEqual([]);
  },
);

it('a behaviour file adds a behaviour, or replaces the shipped behaviour with that name', async () => {
  const folder = folderWith({
    'own.json': { ...FACTS, statusQuery: { lag: 'PT1M' } },
    'standard.json': { ...FACTS, name: 'standard', notifications: { retries: [] } },
  });
  const { behaviours } = await loadFixtures(folder);
  expect(behaviours.get('own')).toMatchObject({ statusQuery: { lag: 'PT1M' } });
  expect(behaviours.get('standard')).toMatchObject({ notifications: { retries: [] } });
  expect(behaviours.get('status-lags')).toMatchObject({ statusQuery: { lag: 'PT30S' } });
});

const latency = (...entries: object[]) => ({ calls: { latency: entries } });
const percentiles = { '50': 'PT1S', '99': 'PT5S' };

it.each<[string, object, string]>([
  [
    'a hash without fields',
    { notifications: { proof: 'hash' } },
    '$.notifications.hash: expected algorithm, header and fields, because the proof is a hash, received nothing',
  ],
  [
    'no time to answer',
    { notifications: { timeout: 'PT0S' } },
    '$.notifications.timeout: expected more than PT0S, and PT10M at most, received PT0S',
  ],
  [
    'a month to answer',
    { notifications: { timeout: 'P30D' } },
    '$.notifications.timeout: expected more than PT0S, and PT10M at most, received P30D',
  ],
  [
    'a header that is reserved',
    { notifications: { proof: 'hash', hash: { algorithm: 'sha256', header: 'content-length', fields: ['status'] } } },
    '$.notifications.hash.header',
  ],
  [
    'an unknown channel',
    latency({ channels: ['cash'], percentiles }),
    '$.calls.latency[0].channels[0]: expected one of qr-wallet',
  ],
  ['decreasing percentiles', latency({ percentiles: { '50': 'PT2S', '9': 'PT3S' } }), '$.calls.latency[0].percentiles'],
  [
    'an entry that never applies',
    latency({ percentiles }, { channels: ['mobile-money'], percentiles }),
    '$.calls.latency[1]: expected no entry after entry 1, which applies to all calls',
  ],
  ['a share of more than 1', { calls: { timeouts: 1.5 } }, '$.calls.timeouts'],
  ['a misspelled member', { statusquery: { lag: 'PT1M' } }, '$.statusquery'],
  ['a date that does not exist', { date: '2026-13-45' }, '$.date'],
  [
    'the id of a shipped behaviour',
    { id: 'SBX-B10' },
    '$.id: expected none, because only shipped scenarios and behaviours have ids, received "SBX-B10"',
  ],
])('a behaviour with %s is refused, and the error names the path', async (_title, members, words) => {
  await expect(loadFixtures(folderWithBehaviour(members))).rejects.toThrow(words);
});

it('a behaviour is refused if two files define it, or if the name of its file does not end in .json', async () => {
  await expect(loadFixtures(folderWith({ 'a.json': FACTS, 'b.json': FACTS }))).rejects.toThrow(
    '$.name: the behaviour own is already defined in',
  );
  await expect(loadFixtures(folderWith({ 'own.txt': FACTS }))).rejects.toThrow(
    'a behaviour is a file whose name ends in .json',
  );
});
