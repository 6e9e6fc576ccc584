import { isMembers, membersOf, ownMember } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { didYouMean } from '../../base/text/nearest.ts';

/** The entries of a list are identified by the first of these members that all of them have. */
const KEYS = ['id', 'name', 'channel'];

/** Members whose templates are replaced as a whole, so that they can have fewer members. A channel's `answers` are merged. */
const TEMPLATE_MEMBERS = ['envelopes', 'recordedAnswers'];

/**
 * Merges one JSON value over another. Objects are merged, and so are lists whose entries have an id (or name, or channel); other
 * lists, and templates in TEMPLATE_MEMBERS, are replaced.
 */
export function overlay(base: unknown, changes: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(changes)) {
    return overlayLists(base, changes);
  }
  if (isMembers(base) && isMembers(changes)) {
    const keys = new Set([...Object.keys(base), ...Object.keys(changes)]);
    return Object.fromEntries(
      [...keys].map((key) => [
        key,
        Object.hasOwn(changes, key) ? overlayMember(key, ownMember(base, key), changes[key]) : base[key],
      ]),
    );
  }
  return changes;
}

function overlayMember(name: string, base: unknown, changes: unknown): unknown {
  return TEMPLATE_MEMBERS.includes(name) && isMembers(base) && isMembers(changes)
    ? { ...base, ...changes }
    : overlay(base, changes);
}

/** Findings about entries with the same id (or name, or channel), because only one of them could have an effect. */
export function findDuplicates(changes: unknown): Finding[] {
  return Object.entries(isMembers(changes) ? changes : {}).flatMap(([member, list]) => {
    const items: unknown[] = Array.isArray(list) ? list : [];
    const key = keyOf(items) ?? '';
    const values = key === '' ? [] : items.map((item) => membersOf(item)[key]);
    return values.flatMap((value, index): Finding[] => {
      const path = `${memberPath('$', member)}[${index}].${key}`;
      const received = `${JSON.stringify(value)} for the second time`;
      const isFirst = values.indexOf(value) === index;
      return isFirst ? [] : [errorFinding(path, `a unique ${key}`, received)];
    });
  });
}

/** Findings about entries whose id (or name, or channel) is not in the base list, but similar to one there. */
export function findMisspelledIds(base: unknown, changes: unknown): Finding[] {
  return Object.entries(isMembers(changes) ? changes : {}).flatMap(([member, list]) => {
    const baseItems = ownMember(membersOf(base), member);
    const key = Array.isArray(list) && Array.isArray(baseItems) ? keyOf([...baseItems, ...list]) : undefined;
    if (key === undefined || !Array.isArray(list) || !Array.isArray(baseItems)) {
      return [];
    }
    const ids = baseItems.map((item) => String(membersOf(item)[key]));
    return list.flatMap((item, index) => {
      const id = String(membersOf(item)[key]);
      const suggestion = ids.includes(id) ? '' : didYouMean(id, ids);
      const path = `${memberPath('$', member)}[${index}].${key}`;
      const expected = `a shipped ${key}, or all fields of a new entry`;
      return suggestion === '' ? [] : [errorFinding(path, expected, `${JSON.stringify(id)}${suggestion}`)];
    });
  });
}

function overlayLists(base: unknown[], changes: unknown[]): unknown[] {
  const key = keyOf([...base, ...changes]);
  if (key === undefined) {
    return changes;
  }
  const changesById = new Map(changes.map((item) => [membersOf(item)[key], item]));
  const baseItems = base.map((item) => {
    const id = membersOf(item)[key];
    return changesById.has(id) ? overlay(item, changesById.get(id)) : item;
  });
  const ids = new Set(base.map((item) => membersOf(item)[key]));
  return [...baseItems, ...changes.filter((item) => !ids.has(membersOf(item)[key]))];
}

function keyOf(list: readonly unknown[]): string | undefined {
  return KEYS.find((name) => list.every((item) => isMembers(item) && Object.hasOwn(item, name)));
}

const SEGMENT = /\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g;

/**
 * Converts a JSON path in a merged value to the path in the changes, where entries of lists have other positions. Undefined if its
 * value comes from the base.
 */
export function pathInChanges(path: string, merged: unknown, changes: unknown): string | undefined {
  let [result, inMerged, inChanges] = ['$', merged, changes];
  for (const [segment, name, index, quoted] of path.matchAll(SEGMENT)) {
    if (Array.isArray(inMerged) && Array.isArray(inChanges) && index !== undefined) {
      const item = inMerged[Number(index)];
      const key = keyOf([...inMerged, ...inChanges]);
      const position = key === undefined ? Number(index) : inChanges.findIndex((each) => each[key] === item[key]);
      [result, inMerged, inChanges] = [`${result}[${position}]`, item, inChanges[position]];
    } else {
      const member = name ?? (quoted === undefined ? '' : JSON.parse(quoted));
      [result, inMerged, inChanges] = [result + segment, memberOf(inMerged, member), memberOf(inChanges, member)];
    }
    // A member that is missing in both also has a path, because a finding may require it.
    if (inChanges === undefined && inMerged !== undefined) {
      return undefined;
    }
  }
  return result;
}

function memberOf(value: unknown, name: string): unknown {
  return isMembers(value) ? ownMember(value, name) : undefined;
}
