import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { type DriftSink, NOTHING, type SideValue } from './single-difference.ts';
import { formatOf, isSameFormat, SENTENCE, skeletonOf, typeOf } from './value-formats.ts';

export function compareValues(sink: DriftSink, recorded: unknown, sandbox: unknown, place = '$'): void {
  sink.countCompared(place, true);
  if (Array.isArray(recorded) && Array.isArray(sandbox)) {
    compareLists(sink, recorded, sandbox, place);
  } else if (isMembers(recorded) && isMembers(sandbox)) {
    compareMembers(sink, recorded, sandbox, place);
  } else if (recorded !== sandbox) {
    compareLeaves(sink, recorded, sandbox, place);
  }
}

type Members = Record<string, unknown>;

function compareMembers(sink: DriftSink, recorded: Members, sandbox: Members, place: string): void {
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(sandbox)])) {
    const path = memberPath(place, name);
    const [isInRecorded, isInSandbox] = [Object.hasOwn(recorded, name), Object.hasOwn(sandbox, name)];
    if (isInRecorded && isInSandbox) {
      compareValues(sink, recorded[name], sandbox[name], path);
    } else {
      sink.countCompared(path, true);
      sink.report({
        kind: isInRecorded ? 'missing-member' : 'new-member',
        place: path,
        recorded: isInRecorded ? sideOf(recorded[name]) : NOTHING,
        sandbox: isInSandbox ? sideOf(sandbox[name]) : NOTHING,
      });
    }
  }
  const recordedNames = Object.keys(recorded).filter((name) => Object.hasOwn(sandbox, name));
  const sandboxNames = Object.keys(sandbox).filter((name) => Object.hasOwn(recorded, name));
  if (recordedNames.some((name, index) => name !== sandboxNames[index])) {
    const side = (value: string[]) => ({ is: 'order of members', value });
    sink.report({ kind: 'order', place, recorded: side(recordedNames), sandbox: side(sandboxNames) });
  }
}

/** Compares lists. If their lengths differ, which may be due to earlier calls, compares one merged item of each. */
function compareLists(sink: DriftSink, recorded: readonly unknown[], sandbox: readonly unknown[], place: string): void {
  const items = `${place}[]`;
  if (recorded.length === sandbox.length) {
    for (const [index, item] of recorded.entries()) {
      compareValues(sink, item, sandbox[index], items);
    }
  } else if (recorded.length > 0 && sandbox.length > 0) {
    compareValues(withoutValues(sink), mergeItems(recorded), mergeItems(sandbox), items);
  }
}

/** Ignores different values, because it is unknown which items of the two lists correspond. */
function withoutValues(sink: DriftSink): DriftSink {
  return {
    countCompared: (place, isMember) => sink.countCompared(place, isMember),
    report(difference) {
      if (difference.kind !== 'word') {
        sink.report(difference);
      }
    },
  };
}

/** An object with the first non-empty value of each member. If some items are not objects, the first non-empty item. */
function mergeItems(items: readonly unknown[]): unknown {
  const objects = items.filter(isMembers);
  if (objects.length !== items.length) {
    return items.find((item) => !isEmpty(item)) ?? items[0];
  }
  const merged = new Map<string, unknown>();
  for (const [name, value] of objects.flatMap((each) => Object.entries(each))) {
    if (!merged.has(name) || isEmpty(merged.get(name))) {
      merged.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}

function compareLeaves(sink: DriftSink, recorded: unknown, sandbox: unknown, place: string): void {
  const [recordedSide, sandboxSide] = [sideOf(recorded), sideOf(sandbox)];
  const kind = kindOf(recorded, sandbox, [recordedSide.is, sandboxSide.is]);
  if (kind === 'type') {
    const withType = (side: SideValue) => ({ ...side, is: typeOf(side.value) });
    sink.report({ kind, place, recorded: withType(recordedSide), sandbox: withType(sandboxSide) });
  } else {
    const isSentence = kind === 'word' && isSameSentence(recorded, sandbox);
    const side = (each: SideValue) => (isSentence ? { ...each, is: SENTENCE } : each);
    sink.report({ kind, place, recorded: side(recordedSide), sandbox: side(sandboxSide) });
  }
}

function kindOf(recorded: unknown, sandbox: unknown, [recordedFormat, sandboxFormat]: readonly (string | null)[]) {
  if (isEmpty(recorded) && isEmpty(sandbox)) {
    return 'null-or-empty';
  }
  if (typeOf(recorded) !== typeOf(sandbox)) {
    return 'type';
  }
  if (recorded === '' || sandbox === '') {
    return 'null-or-empty';
  }
  return isSameFormat(recordedFormat ?? '', sandboxFormat ?? '') ? 'word' : 'format';
}

function isSameSentence(recorded: unknown, sandbox: unknown): boolean {
  const skeleton = typeof recorded === 'string' ? skeletonOf(recorded) : undefined;
  return typeof sandbox === 'string' && skeleton !== undefined && skeleton === skeletonOf(sandbox);
}

const isEmpty = (value: unknown): boolean => value === null || value === '';

function sideOf(value: unknown): SideValue {
  if (typeof value !== 'string') {
    return { is: typeOf(value), value };
  }
  return { is: value === '' ? 'empty text' : formatOf(value), value };
}
