/** A text from elsewhere, which keeps its direction to itself, or a link. */
interface Marked {
  text: string;
  screen?: 'deliveries' | 'recurring' | 'scenarios';
  id?: string;
  /** It names what decided, between these two. */
  between?: readonly [before: string, after: string];
}

/** A part of a sentence. What is plain text is the console's own. */
export type Part = string | Marked;

/** Sentences one after another, each with its full stop. What decided is named once. */
export function sentences(clauses: readonly (readonly Part[])[]): Part[] {
  const named = new Set<string>();
  const isNew = (part: Part) => {
    const isKnown = typeof part !== 'string' && part.between !== undefined && named.has(part.text);
    if (typeof part !== 'string' && part.between !== undefined) {
      named.add(part.text);
    }
    return !isKnown;
  };
  return clauses
    .filter((clause) => clause.length > 0)
    .flatMap((clause, index) => [index === 0 ? '' : ' ', ...clause.filter(isNew), '.']);
}

/** The end of a sentence that says which rule or fixture decided; a rule leads to its scenario. */
export function asSaidBy(decidedBy: string | undefined): Part[] {
  if (decidedBy === undefined) {
    return [];
  }
  const scenario = /^rule \d+ of (.+)$/.exec(decidedBy)?.[1];
  const decider = scenario === undefined ? {} : { screen: 'scenarios' as const, id: scenario };
  return [{ text: decidedBy, ...decider, between: [', as set by ', ''] }];
}

/** What a part says, without where it leads. */
export function textOf(part: Part): string {
  if (typeof part === 'string') {
    return part;
  }
  const [before = '', after = ''] = part.between ?? [];
  return `${before}${part.text}${after}`;
}
