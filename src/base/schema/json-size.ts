import { plural } from '../text/plural.ts';

/** The size of a JSON value: the characters of texts and names (other values count as one), and the number of members and items. */
export interface JsonSize {
  characters: number;
  values: number;
}

/** The size of a value. Counting stops beyond the limits. Items of lists with one of the `uncounted` names do not count as values. */
export function sizeOf(value: unknown, limits: JsonSize, uncounted?: ReadonlySet<string>): JsonSize {
  const size = { characters: 0, values: 0 };
  const add = (each: unknown, isCounted: boolean) => {
    size.characters += typeof each === 'string' ? each.length : 1;
    if (typeof each !== 'object' || each === null) {
      return;
    }
    for (const [name, member] of Object.entries(each)) {
      if (isLarger(size, limits)) {
        return;
      }
      size.characters += Array.isArray(each) ? 0 : name.length;
      size.values += isCounted ? 1 : 0;
      add(member, isCounted && !(Array.isArray(member) && uncounted?.has(name)));
    }
  };
  add(value, true);
  return size;
}

export function isLarger({ characters, values }: JsonSize, limits: JsonSize): boolean {
  return characters > limits.characters || values > limits.values;
}

/** "500 values and 65,536 characters". */
export function describeSize({ characters, values }: JsonSize): string {
  return `${plural(values, 'value')} and ${plural(characters, 'character')}`;
}
