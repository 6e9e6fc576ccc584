import type { Delivery } from '../../../base/schema/generated/records.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import type { Clause } from './sentence.ts';
import type { RecordEvents, StoryEntry } from './story-entry.ts';

/** The deliveries, calls and events of a record. */
export interface StoryContext {
  /** Oldest first. */
  deliveries: readonly Delivery[];
  /** Oldest first. */
  calls: readonly LoggedRequest[];
  events: RecordEvents;
}

/** The history and the plans of a record. */
export interface Story {
  /** Changes of its state, oldest first. */
  changes: readonly StoryEntry[];
  /** Other past entries. */
  others: readonly StoryEntry[];
  /** Planned entries, the next first. */
  plannedEntries: readonly StoryEntry[];
  /** The reason for its present state, if that is not its last change. */
  state?: Clause;
  /** The scenario's rule that acted on it. */
  rule?: string | undefined;
  /** Whether merchants are notified of its last change. */
  isNotified: boolean;
}
