import type { SentencePart, TimelineCause } from '../../../base/schema/generated/control.ts';
import { lengthInWords } from '../../../base/text/words.ts';
import type { Instant } from '../../../base/time.ts';
import { causeInWords } from './cause-in-words.ts';
import type { StoryEntry } from './story-entry.ts';

export interface StoryPart extends Omit<SentencePart, 'until'> {
  until?: Instant;
}

/** A cause in a sentence, with its introductory words. Both are omitted if the cause was named before. */
interface Mention {
  cause: TimelineCause;
  lead: string;
}

export type Clause = readonly (string | StoryPart | Mention)[];

/** Joins clauses into a text with one sentence for each clause. */
export function joinClauses(clauses: readonly Clause[]): StoryPart[] {
  const namedCauses = new Set<string>();
  const partsOf = (part: Clause[number]): StoryPart[] => {
    if (typeof part === 'string') {
      return part === '' ? [] : [{ text: part }];
    }
    if (!('cause' in part)) {
      return [part];
    }
    const { words, collection, id } = part.cause;
    const isNew = !namedCauses.has(words);
    namedCauses.add(words);
    const link = collection === undefined || id === undefined ? {} : { collection, id };
    return isNew ? [{ text: part.lead }, { text: words, ...link }] : [];
  };
  return clauses
    .filter((clause) => clause.length > 0)
    .flatMap((clause, index) => [...(index === 0 ? [] : [{ text: ' ' }]), ...clause.flatMap(partsOf), { text: '.' }])
    .reduce<StoryPart[]>(joinPart, []);
}

/** Adds a part, and joins adjacent plain texts. */
function joinPart(parts: StoryPart[], part: StoryPart): StoryPart[] {
  const last = parts.at(-1);
  const isPlain = ({ id, until }: StoryPart) => id === undefined && until === undefined;
  return last && isPlain(last) && isPlain(part)
    ? [...parts.slice(0, -1), { text: `${last.text}${part.text}` }]
    : [...parts, part];
}

export function lengthUntil(until: Instant, now: Instant): StoryPart {
  return { text: lengthInWords(until - now), until };
}

export function ruleMention(rule: string | undefined): Mention[] {
  return rule === undefined ? [] : [{ cause: causeInWords('scenario', rule), lead: ', ' }];
}

export function clauseOf({ title, words, cause }: StoryEntry): Clause {
  return [title, ...(cause ? [{ cause, lead: ' ' }] : []), words === '' ? '' : `: ${words}`];
}

export function plannedClause({ at, title, words, cause }: StoryEntry, now: Instant): Clause {
  const planText = words === '' ? title : `${title} with ${words}`;
  return [`${planText} in `, lengthUntil(at, now), ...(cause ? [{ cause, lead: ', ' }] : [])];
}
