import type { TimelineView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';

/** A record with its past and planned steps. */
export interface RecordTimeline<View extends TimelineView['record']> extends TimelineView {
  record: View;
}

export function fetchTimeline<View extends TimelineView['record']>(
  collection: 'payments' | 'payouts' | 'settlements',
  id: string,
): Promise<RecordTimeline<View>> {
  return ask('GET', `${collection}/${encodeURIComponent(id)}/timeline`);
}
