import type { NameList } from './name-list.ts';
import type { FoundPlace, NamedKind, PlaceKind } from './places.ts';

/** Rules for masking, and the replacements. */
export interface MaskRules {
  /** The kinds of values by name. */
  names: NameList<NamedKind>;
  /** Whether objects, lists, schemes of credentials and names of cookies are kept, and only their contents are masked. */
  keepsShape: boolean;
  /** The replacement of a text: a mask that is the same in every encoding, or a function that makes a stand-in from the text. */
  standIn: string | ((value: string, kind: PlaceKind) => string);
  /** Replaces a number; `kind` is undefined if it has no listed name and is not a card number. */
  replaceNumber(value: number, kind: PlaceKind | undefined): unknown;
  /** Replaces the name of a member as a whole. */
  replaceName?(name: string): string | undefined;
  /** Changes a text before it is read. */
  prepare?(text: string): string;
  /** Further parts of a text that are masked. */
  findMore?(text: string): readonly FoundPlace[];
  /** Parts of a text that were replaced before, with their stand-ins. */
  findKnown?(text: string): readonly KnownPlace[];
}

export interface KnownPlace {
  from: number;
  to: number;
  standIn: string;
}

export function standInOf({ standIn }: MaskRules, value: string, kind: PlaceKind): string {
  return typeof standIn === 'string' ? standIn : standIn(value, kind);
}
