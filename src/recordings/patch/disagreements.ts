import { isMembers } from '../../base/members.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import type { Difference, RecordedCall } from '../../base/schema/recordings.ts';
import type { CallKind } from '../call-kinds.ts';

/** Kinds of calls and places in their answers that are told apart. */
const MOST_PLACES = 10_000;
/** Differences about whether a member is there, and what it is. */
const KINDS: readonly Difference['kind'][] = ['missing-member', 'new-member', 'type', 'null-or-empty'];

type Place = Pick<Difference, 'operation' | 'channel' | 'environment' | 'status' | 'place'>;

/** Counts which members the answers to calls of one kind have, and of which types. Members of items of lists are left out. */
export class Disagreements {
  /** By kind of call and place: how many answers have it, by type. */
  readonly #seen = new Map<string, { of: string; types: Map<string, number>; place: Place }>();

  add({ operation, channel, environment }: CallKind, { answer }: RecordedCall): void {
    if (answer?.body && 'json' in answer.body) {
      const status = `${String(answer.status).charAt(0)}xx`;
      this.#walk(answer.body.json, { operation, channel, environment, status, place: '$' }, '');
    }
  }

  /** What a proposal says about members of which recorded calls disagree, where the sandbox differs there. */
  notesOn(differences: readonly Difference[]): string[] {
    return [...this.#seen.values()].flatMap(({ of, types, place }) => {
      const all = total(this.#seen.get(of)?.types);
      const have = total(types);
      const isTold = differences.some((each) => KINDS.includes(each.kind) && isAt(each, place));
      if (!isTold || (types.size === 1 && have === all)) {
        return [];
      }
      const shown = [...types].map(([type, count]) => `${count} a ${type}`.replace('a null', 'null'));
      const what = have === all ? shown.join(', ') : `${have} of ${all} have it`;
      return [`${nameOf(place)} ${place.place}: calls disagree: ${what}.`];
    });
  }

  #walk(value: unknown, place: Place, of: string): void {
    const key = JSON.stringify(Object.values(place));
    const known = this.#seen.get(key) ?? { of, types: new Map<string, number>(), place };
    if (this.#seen.size >= MOST_PLACES && !this.#seen.has(key)) {
      return;
    }
    this.#seen.set(key, known);
    const type = typeOf(value);
    known.types.set(type, (known.types.get(type) ?? 0) + 1);
    for (const [name, each] of isMembers(value) ? Object.entries(value) : []) {
      this.#walk(each, { ...place, place: memberPath(place.place, name) }, key);
    }
  }
}

function total(types: ReadonlyMap<string, number> | undefined): number {
  return [...(types?.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
}

/** A difference that was seen everywhere has null. */
function isAt(difference: Difference, place: Place): boolean {
  const isSame = (name: 'operation' | 'channel' | 'environment' | 'status') =>
    difference[name] === null || difference[name] === place[name];
  return (
    difference.part === 'answer' &&
    difference.place === place.place &&
    isSame('operation') &&
    isSame('channel') &&
    isSame('environment') &&
    isSame('status')
  );
}

function nameOf({ operation, channel, environment, status }: Place): string {
  const on = channel === null ? '' : ` on ${channel}`;
  return `${operation ?? 'other calls'}${on}${environment === 'sandbox' ? ' (sandbox routes)' : ''}, ${status},`;
}
