import type { TimelineView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';

/** A record with its past and planned steps. */
export interface RecordTimeline<Record extends TimelineView['record']> extends TimelineView {
  record: Record;
}

export function fetchTimeline<Record extends TimelineView['record']>(
  collection: 'payments' | 'payouts' | 'settlements',
  id: string,
): Promise<RecordTimeline<Record>> {
  return ask('GET', `${collection}/${encodeURIComponent(id)}/timeline`);
}
