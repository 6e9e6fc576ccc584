import type { Difference } from '../../base/schema/recordings.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Group } from './answers.ts';
import type { Observations } from './observations.ts';
import type { Source } from './votes.ts';

/** A fixture of this name says what a recording showed; a sandbox that is compared uses it without being asked. */
export const AS_RECORDED = 'as-recorded';

/** What a fixture is proposed to say. */
export interface Entry {
  /** Below the folder of fixtures. */
  file: string;
  /** A JSON path there. */
  place: string;
  /** In words. */
  says: string;
  source: Source | null;
}

/** What a proposal is made from. */
export interface Evidence {
  observed: Observations;
  differences: readonly Difference[];
  fixtures: Fixtures;
  /** The scenario that the sandbox used. */
  scenario: string;
  /** Its behaviour. */
  behaviour: string;
}

/** What a file is proposed to hold, laid over what it holds now. */
export interface Part {
  content: object;
  entries: Entry[];
}

/** Whether a difference is about a group of payments. One that was seen everywhere is about each. */
export function concerns({ channel, environment }: Difference, group: Omit<Group, 'operation'>): boolean {
  return (channel === null || channel === group.channel) && (environment === null || environment === group.environment);
}

/** The only value of a side, where it is a text. */
export function textOn({ values, more }: Difference['recorded']): string | undefined {
  const [value] = values;
  return values.length === 1 && !more && typeof value === 'string' ? value : undefined;
}
