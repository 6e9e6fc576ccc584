import type { Delivery } from '../../../base/schema/generated/records.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import type { Clause } from './sentence.ts';
import type { RecordEvents, StoryEntry } from './story-entry.ts';

/** What else is known of a record. */
export interface StoryContext {
  /** Oldest first. */
  deliveries: readonly Delivery[];
  /** Oldest first. */
  calls: readonly LoggedRequest[];
  events: RecordEvents;
}

/** What a record itself says of what happened to it. */
export interface Story {
  /** Its changes, oldest first. */
  changes: readonly StoryEntry[];
  /** What happened besides. */
  others: readonly StoryEntry[];
  /** What is still to come, the next first. */
  plannedEntries: readonly StoryEntry[];
  /** Why it is in its state, where that is not what happened last. */
  state?: Clause;
  /** The scenario's rule that acted on it. */
  rule?: string | undefined;
  /** Whether merchants are notified of its last change. */
  isNotified: boolean;
}
