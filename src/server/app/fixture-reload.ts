import { Refusal } from '../../base/refusal.ts';
import type { EventType } from '../../base/schema/generated/control.ts';
import { FixtureError, type Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { watchFixtures } from '../config/watch-fixtures.ts';
import { isScenarioKnown } from '../domain/scenarios/choose-plan.ts';
import type { Log } from '../http/access-log.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readFixtures } from './read-fixtures.ts';

/** A sentence for each session whose scenario or behaviour does not exist in the fixtures any more. */
export async function describeMissingNames(sessions: Sessions, fixtures: Fixtures): Promise<string[]> {
  const sentences = sessions.list().map(async (session) => {
    const { reader } = session;
    const { sessionName: name, scenario, behaviour } = reader;
    if (!isScenarioKnown(reader, fixtures)) {
      return [`session ${name} uses the scenario ${scenario}, which no longer exists`];
    }
    return fixtures.behaviours.has(behaviour)
      ? []
      : [`session ${name} has the behaviour ${behaviour}, which no longer exists`];
  });
  return (await Promise.all(sentences)).flat();
}

/** A folder with the user's fixtures, and the stamp of its files from before they were read. */
export interface FixtureFolder {
  folder: string;
  stamp: string;
}

/**
 * Watches the user's fixtures and uses them when they change, with an event in the session `default` for each change. Returns a
 * function that stops watching.
 */
export function reloadFixtures(
  { folder, stamp }: FixtureFolder,
  settings: Readonly<Settings>,
  sessions: Sessions,
  log: Log,
  onFixtures: (fixtures: Fixtures) => void,
): () => Promise<void> {
  const emit = async (type: EventType, data: Record<string, unknown>) => {
    try {
      await sessions.open('default').transact(async (transaction) => transaction.emit(type, null, null, data));
    } catch (error) {
      // For example, too many sessions to create `default`: then only the log reports the change.
      if (!(error instanceof Refusal)) {
        throw error;
      }
    }
  };
  return watchFixtures(folder, stamp, {
    async load() {
      const newFixtures = await readFixtures(settings);
      const [problem] = await describeMissingNames(sessions, newFixtures);
      if (problem !== undefined) {
        throw new FixtureError(folder, problem);
      }
      return newFixtures;
    },
    async onFixtures(newFixtures) {
      onFixtures(newFixtures);
      log.info(`fixtures reloaded from ${folder}`);
      await emit('fixtures.reloaded', {});
    },
    async onInvalid({ file, message }) {
      log.warn(`${message}; the previous fixtures stay in use`);
      await emit('fixtures.refused', { file, problem: message });
    },
    onError: (error) => log.error('reloading the fixtures failed', error),
  });
}
