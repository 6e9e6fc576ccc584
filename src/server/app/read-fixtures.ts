import { guessOrList } from '../../base/text/nearest.ts';
import type { FixtureFiles } from '../config/fixture-files.ts';
import { FixtureError, type Fixtures, loadFixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { checkFlows } from '../domain/channels/channels.ts';
import { checkOperations } from '../merchant-api/check-operations.ts';

const check = (files: FixtureFiles) => [...checkOperations(files), ...checkFlows(files)];

/** The fixtures in a folder, merged over the shipped ones. Rejects with FixtureError. */
export function loadFixturesFor({
  fixtures: folder,
  walletNames,
}: Pick<Settings, 'fixtures' | 'walletNames'>): Promise<Fixtures> {
  return loadFixtures(folder, { walletNames, check });
}

/** The fixtures for the settings. Rejects with FixtureError, also if they lack the scenario or behaviour of the settings. */
export async function readFixtures(settings: Readonly<Settings>): Promise<Fixtures> {
  const fixtures = await loadFixturesFor(settings);
  for (const kind of ['scenario', 'behaviour'] as const) {
    const name = settings[kind];
    const known = [...fixtures[`${kind}s`].keys()].sort();
    if (!known.includes(name)) {
      throw new FixtureError(`--${kind}`, `unknown ${kind} ${name}${guessOrList(name, known, 'known ones are')}`);
    }
  }
  return fixtures;
}
