import { Refusal } from '../../../base/refusal.ts';
import { guessOrList } from '../../../base/text/nearest.ts';
import type { Behaviour, Fixtures } from '../../config/fixtures.ts';
import type { Reader } from '../../sessions/reader.ts';

/** The behaviour of a record, or else of the session. If the fixtures no longer have it: {}, which has the effect of `standard`. */
export function behaviourOf(
  { fixtures, behaviour }: Pick<Reader, 'fixtures' | 'behaviour'>,
  recordBehaviour: string | undefined,
): Partial<Behaviour> {
  return fixtures.behaviours.get(recordBehaviour ?? behaviour) ?? {};
}

/** The refusal of an unknown name suggests a similar one, or else lists all. */
export function requireBehaviour({ behaviours }: Pick<Fixtures, 'behaviours'>, name: string): Behaviour {
  const behaviour = behaviours.get(name);
  if (!behaviour) {
    const known = [...behaviours.keys()].sort();
    throw new Refusal('invalid-field', `there is no behaviour ${JSON.stringify(name)}${guessOrList(name, known)}`);
  }
  return behaviour;
}
