import { errorFinding, type Finding } from '../../base/refusal.ts';
import { didYouMean } from '../../base/text/nearest.ts';

/** The finding for a name that is not among the known ones; empty where it is one of them. */
export function unknownName(
  name: string | undefined,
  known: readonly string[],
  path: string,
  expected = `one of ${known.join(', ')}`,
): Finding[] {
  return name === undefined || known.includes(name)
    ? []
    : [errorFinding(path, expected, `${JSON.stringify(name)}${didYouMean(name, known)}`)];
}
