import type { Sentence, TimelineEntry, TimelineView } from '../../base/schema/generated/control.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import { detailsOf } from '../../base/text/timeline-details.ts';
import { indent, tableOf } from '../../command/show.ts';

const COLUMNS = ['at', 'what', 'why', 'details', 'id'];

/** A summary in one sentence, and the past and planned steps of a record as a table. */
export function textOfTimeline({ sentence, entries, omitted }: TimelineView): string {
  const more =
    omitted === 0
      ? []
      : [`${plural(omitted, 'older call or notification', 'older calls and notifications')} not shown`];
  const table = tableOf(entries.map(rowOf), COLUMNS).text.split('\n');
  return [textOfSentence(sentence), '', 'timeline', ...indent([...table, ...more])].join('\n');
}

export function textOfSentence(parts: Sentence): string {
  return printable(parts.map(({ text }) => text).join(''));
}

function rowOf(entry: TimelineEntry) {
  const { at, title, cause, deliveryId, requestId } = entry;
  return { at, what: title, why: cause?.words, details: detailsOf(entry) || null, id: deliveryId ?? requestId };
}
