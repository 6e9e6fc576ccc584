import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { formatOf, isSameFormat, SENTENCE, skeletonOf, typeOf } from './formats.ts';
import { NOTHING, type SeenSide, type Sink } from './seen.ts';
import type { BothSent, SentValues } from './sent-values.ts';

/** A body in depth, beside what was sent for it. */
export class ValueComparison {
  readonly #sink: Sink;
  readonly #sent: BothSent;

  constructor(sink: Sink, sent: BothSent) {
    this.#sink = sink;
    this.#sent = sent;
  }

  compare(recorded: unknown, sandbox: unknown, place = '$'): void {
    this.#sink.looked(place, true);
    if (Array.isArray(recorded) && Array.isArray(sandbox)) {
      this.#compareLists(recorded, sandbox, place);
    } else if (isMembers(recorded) && isMembers(sandbox)) {
      this.#compareMembers(recorded, sandbox, place, { isWhole: true });
    } else if (recorded !== sandbox) {
      this.#compareLeaves(recorded, sandbox, place);
    }
  }

  /** `isWhole`: whether what is missing here is missing. */
  #compareMembers(
    recorded: Record<string, unknown>,
    sandbox: Record<string, unknown>,
    place: string,
    { isWhole }: { isWhole: boolean },
  ): void {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(sandbox)])) {
      const here = memberPath(place, name);
      if (Object.hasOwn(recorded, name) && Object.hasOwn(sandbox, name)) {
        this.compare(recorded[name], sandbox[name], here);
      } else if (isWhole) {
        this.#sink.looked(here, true);
        const isMissing = Object.hasOwn(recorded, name);
        this.#sink.saw({
          kind: isMissing ? 'missing-member' : 'new-member',
          place: here,
          recorded: isMissing ? sideOf(recorded[name]) : NOTHING,
          sandbox: isMissing ? NOTHING : sideOf(sandbox[name]),
        });
      }
    }
    this.#compareOrder(recorded, sandbox, place);
  }

  #compareOrder(recorded: Record<string, unknown>, sandbox: Record<string, unknown>, place: string): void {
    const was = Object.keys(recorded).filter((name) => Object.hasOwn(sandbox, name));
    const is = Object.keys(sandbox).filter((name) => Object.hasOwn(recorded, name));
    if (was.some((name, index) => name !== is[index])) {
      this.#sink.saw({
        kind: 'order',
        place,
        recorded: { is: 'order of members', value: was },
        sandbox: { is: 'order of members', value: is },
      });
    }
  }

  /** What items can have is said once, by what any of them has. How many there are matters where as many were sent. */
  #compareLists(recorded: readonly unknown[], sandbox: readonly unknown[], place: string): void {
    const items = `${place}[]`;
    const isOfRequest = (list: readonly unknown[], { listLengths }: SentValues) => listLengths.has(list.length);
    if (isOfRequest(recorded, this.#sent.recorded) !== isOfRequest(sandbox, this.#sent.sandbox)) {
      const side = (list: readonly unknown[]) => ({ is: 'number of items', value: list.length });
      this.#sink.saw({ kind: 'length', place, recorded: side(recorded), sandbox: side(sandbox) });
    }
    if (recorded.length === 0 || sandbox.length === 0) {
      return;
    }
    const [was, is] = [mergedItem(recorded), mergedItem(sandbox)];
    if (isMembers(was) && isMembers(is)) {
      this.#compareMembers(onlyIn(was, is), onlyIn(is, was), items, { isWhole: true });
    }
    if (recorded.length === sandbox.length) {
      for (const [index, item] of recorded.entries()) {
        this.#compareItems(item, sandbox[index], items);
      }
    } else {
      new ValueComparison(shapeOnly(this.#sink), this.#sent).#compareItems(was, is, items);
    }
  }

  #compareItems(recorded: unknown, sandbox: unknown, place: string): void {
    if (isMembers(recorded) && isMembers(sandbox)) {
      this.#compareMembers(recorded, sandbox, place, { isWhole: false });
    } else {
      this.compare(recorded, sandbox, place);
    }
  }

  #compareLeaves(recorded: unknown, sandbox: unknown, place: string): void {
    const [sentThen, sentNow] = [this.#sent.recorded.nameOf(recorded), this.#sent.sandbox.nameOf(sandbox)];
    const [was, is] = [sideOf(recorded), sideOf(sandbox)];
    const kind = kindOf(recorded, sandbox, [was.is, is.is]);
    const isEcho = sentThen !== undefined && sentThen === sentNow;
    if (kind === 'type') {
      const typed = (side: SeenSide) => ({ ...side, is: typeOf(side.value) });
      this.#sink.saw({ kind, place, recorded: typed(was), sandbox: typed(is) });
    } else if (kind === 'null-or-empty' || (kind === 'format' && !isEcho)) {
      this.#sink.saw({ kind, place, recorded: was, sandbox: is });
    } else if (!isEcho) {
      const sides = isSameSentence(recorded, sandbox)
        ? { recorded: { ...was, is: SENTENCE }, sandbox: { ...is, is: SENTENCE } }
        : { recorded: asSent(was, sentThen), sandbox: asSent(is, sentNow) };
      this.#sink.saw({ kind: 'word', place, ...sides });
    }
  }
}

function kindOf(recorded: unknown, sandbox: unknown, [was, is]: readonly (string | null)[]) {
  if (isEmpty(recorded) && isEmpty(sandbox)) {
    return 'null-or-empty';
  }
  if (typeOf(recorded) !== typeOf(sandbox)) {
    return 'type';
  }
  if (recorded === '' || sandbox === '') {
    return 'null-or-empty';
  }
  return isSameFormat(was ?? '', is ?? '') ? 'word' : 'format';
}

function isSameSentence(recorded: unknown, sandbox: unknown): boolean {
  const skeleton = typeof recorded === 'string' ? skeletonOf(recorded) : undefined;
  return typeof sandbox === 'string' && skeleton !== undefined && skeleton === skeletonOf(sandbox);
}

/** A value that was sent is told by the member that sent it: it is another one each time. */
function asSent(side: SeenSide, name: string | undefined): SeenSide {
  return name === undefined ? side : { is: `the ${name} that was sent` };
}

/** A difference in words is none between items of which nobody knows which belong together. */
function shapeOnly(sink: Sink): Sink {
  return {
    looked: (place, isMember) => sink.looked(place, isMember),
    saw(seen) {
      if (seen.kind !== 'word') {
        sink.saw(seen);
      }
    },
  };
}

const isEmpty = (value: unknown): boolean => value === null || value === '';

export function sideOf(value: unknown): SeenSide {
  const type = typeOf(value);
  if (typeof value !== 'string' || value === '') {
    return { is: value === '' ? 'empty text' : type, value };
  }
  return { is: formatOf(value), value };
}

/** The members that any item has, each as the first item has it that holds something. */
function mergedItem(items: readonly unknown[]): unknown {
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

function onlyIn(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(one).filter(([name]) => !Object.hasOwn(other, name)));
}
