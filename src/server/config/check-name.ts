import { errorFinding, type Finding } from '../../base/refusal.ts';
import { didYouMean } from '../../base/text/nearest.ts';

/** A finding for an unknown name, with a suggestion; empty for a known name, and without a name. */
export function checkName(
  name: string | undefined,
  names: readonly string[],
  path: string,
  expected = `one of ${names.join(', ')}`,
): Finding[] {
  return name === undefined || names.includes(name)
    ? []
    : [errorFinding(path, expected, `${JSON.stringify(name)}${didYouMean(name, names)}`)];
}
