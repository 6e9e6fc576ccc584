import type { TimelineView } from '../../../base/schema/generated/control.ts';
import { type TimelineCollection, timelineOf } from '../../domain/timelines/timeline.ts';
import type { Records } from '../../store/store.ts';
import { viewSettlement } from '../book-views.ts';
import { type ControlOperation, itemOf, type SessionCall, sessionRow } from '../control-operation.ts';
import { findRecord } from '../find-record.ts';
import { viewPayment, viewPayout, viewSentence, viewTime } from '../views.ts';

export const TIMELINE_OPERATIONS: readonly ControlOperation[] = [
  timelineRow({
    collection: 'payments',
    name: 'getPaymentTimeline',
    subject: 'a payment',
    idMeaning: 'its id, `payerReference`, `paymentId` or `paymentCode`; if several match, the newest',
    view: (payment, { session }) => viewPayment(payment, session.fixtures),
  }),
  timelineRow({
    collection: 'payouts',
    name: 'getPayoutTimeline',
    subject: 'a payout',
    idMeaning: 'its id or `payerReference`',
    view: viewPayout,
  }),
  timelineRow({
    collection: 'settlements',
    name: 'getSettlementTimeline',
    subject: 'a settlement',
    idMeaning: 'its id',
    view: viewSettlement,
  }),
];

interface TimelineRow<C extends TimelineCollection> {
  collection: C;
  name: string;
  subject: string;
  idMeaning: string;
  view(record: Records[C], call: SessionCall): TimelineView['record'];
}

function timelineRow<C extends TimelineCollection>(row: TimelineRow<C>): ControlOperation {
  const { collection, name, subject, idMeaning, view } = row;
  return sessionRow({
    name,
    summary: `Get the timeline of ${subject}`,
    description: `The record, and its past and planned steps in words, in order: calls, changes and their causes, and delivery attempts. \`id\` is ${idMeaning}. Calls, and the changes that they caused, are shown as long as the calls are logged.`,
    method: 'GET',
    path: `/${collection}/{id}/timeline`,
    response: itemOf('control/timeline'),
    handle: (call): Promise<TimelineView> =>
      call.session.read(async (reader) => {
        const record = await findRecord(reader, collection, call.parameters['id']);
        const { sentence, entries, omitted } = timelineOf(reader, call.session, collection, record);
        return {
          record: view(record, call),
          sentence: viewSentence(sentence),
          entries: entries.map(({ order: _, at, ...entry }) => ({ at: viewTime(at), ...entry })),
          omitted,
        };
      }),
  });
}
