/** A part of a text that is replaced, and by what. */
export interface Place {
  from: number;
  to: number;
  standIn: string;
}

export interface SpelledPlace extends Place {
  /** Whether it is written otherwise than it reads. */
  isSpelled: boolean;
}

/**
 * A text with its places replaced. Of one in another the outer is; two that overlap are one, with a stand-in of its own. Where the same
 * is found as it stands and as it reads, the latter counts only if that differs.
 */
export function replaced(text: string, places: readonly SpelledPlace[], standInFor: (part: string) => string): string {
  const disjoint: Place[] = [];
  const asItStandsFirst = places.toReversed();
  asItStandsFirst.sort(
    (one, other) => one.from - other.from || other.to - one.to || Number(other.isSpelled) - Number(one.isSpelled),
  );
  for (const place of asItStandsFirst) {
    const last = disjoint.at(-1);
    if (!last || place.from >= last.to) {
      disjoint.push({ ...place });
    } else if (place.to > last.to) {
      last.to = place.to;
      last.standIn = standInFor(text.slice(last.from, last.to));
    }
  }
  let [copy, copied] = ['', 0];
  for (const { from, to, standIn } of disjoint) {
    copy += text.slice(copied, from) + standIn;
    copied = to;
  }
  return copy + text.slice(copied);
}
