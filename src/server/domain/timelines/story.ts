import type { Delivery } from '../../../base/schema/generated/records.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';
import type { Clause } from './sentence.ts';
import type { RecordEvents, StoryEntry } from './story-entry.ts';

export interface StoryContext {
  /** Oldest first. */
  deliveries: readonly Delivery[];
  /** Oldest first. */
  calls: readonly LoggedRequest[];
  events: RecordEvents;
}

export interface Story {
  /** Changes of the record's state, oldest first. */
  changes: readonly StoryEntry[];
  otherEntries: readonly StoryEntry[];
  /** The next first. */
  plannedEntries: readonly StoryEntry[];
  /** The reason for the record's present state, if that is not its last change. */
  state?: Clause;
  /** The scenario's rule that acted on the record. */
  rule?: string | undefined;
  /** Whether the merchant is notified of the record's last change. */
  isNotified: boolean;
}
