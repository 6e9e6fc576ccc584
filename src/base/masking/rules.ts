import type { NameList } from './name-list.ts';
import type { FoundPlace, Kind, NamedKind } from './places.ts';

/** What is masked, and by what. */
export interface MaskRules {
  /** What names say of their values. */
  names: NameList<NamedKind>;
  /** Whether objects, lists, schemes of credentials and names of cookies stay, and what is in them is masked one by one. */
  keepsShape: boolean;
  /** What replaces a text: a mask that every encoding leaves as it is, or a stand-in made of the text. */
  standIn: string | ((value: string, kind: Kind) => string);
  /** Replaces a number below a name, or one that is a card number; `kind` is undefined for any other number. */
  replaceNumber(value: number, kind: Kind | undefined): unknown;
  /** Replaces the name of a member as a whole. */
  replaceName?(name: string): string | undefined;
  /** Changes a text before it is read. */
  prepare?(text: string): string;
  /** Further parts of a text that are masked. */
  moreIn?(text: string): readonly FoundPlace[];
  /** Parts of a text that were replaced before, and by what. */
  knownIn?(text: string): readonly KnownPlace[];
}

export interface KnownPlace {
  from: number;
  to: number;
  standIn: string;
}

export function standInOf({ standIn }: MaskRules, value: string, kind: Kind): string {
  return typeof standIn === 'string' ? standIn : standIn(value, kind);
}
