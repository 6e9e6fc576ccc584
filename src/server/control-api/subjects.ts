import { toDecimalText } from '../../base/money.ts';
import type { DeliveryView, EventView, SubjectView } from '../../base/schema/generated/control.ts';
import type { Delivery } from '../../base/schema/generated/records.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Records } from '../store/store.ts';
import type { SearchedCollection } from './search.ts';
import { viewDelivery, viewEvent } from './views.ts';

type KnownCollection = Exclude<SearchedCollection, 'deliveries'>;

/** The reference and amount by which people recognize a record. */
const SUBJECTS: { readonly [C in KnownCollection]: (record: Records[C]) => SubjectView } = {
  payments: ({ payerReference, amount, currency }) => subject(payerReference, amount, currency),
  payouts: ({ payerReference, total, currency }) => subject(payerReference, total, currency),
  settlements: ({ businessDate, totals, currency }) => subject(businessDate, totals?.transferred ?? null, currency),
  links: ({ reference, amount, currency }) => subject(reference, amount, currency),
  recurringPayments: ({ reference, amount, currency }) => subject(reference, amount, currency),
  paymentTokens: ({ reference }) => subject(reference, null, null),
  shopCodes: ({ reference, amount, currency }) => subject(reference, amount, currency),
};

/** Collections that notifications are about. A record's id is in only one of them. */
const NOTIFIED = ['payments', 'payouts', 'settlements'] as const;

/** A notification with the reference and amount of the record that it is about. */
export async function viewFullDelivery(delivery: Delivery, reader: Reader): Promise<DeliveryView> {
  return withSubject(viewDelivery(delivery), await subjectOfDelivery(delivery, reader));
}

/** An event with the reference and amount of the record that it is about. */
export async function viewFullEvent(event: SessionEvent, reader: Reader): Promise<EventView> {
  return withSubject(viewEvent(event), await subjectOfEvent(event, reader));
}

function subject(reference: string, amount: number | null, currency: string | null): SubjectView {
  return { reference, amount: amount === null ? null : toDecimalText(amount), currency };
}

function withSubject<View>(view: View, subjectView: SubjectView | undefined): View {
  return subjectView === undefined ? view : { ...view, subject: subjectView };
}

async function subjectOfDelivery({ subjectId }: Delivery, reader: Reader): Promise<SubjectView | undefined> {
  const subjects = await Promise.all(NOTIFIED.map((collection) => subjectIn(reader, collection, subjectId)));
  return subjects.find((each) => each !== undefined);
}

async function subjectOfEvent(
  { collection, subjectId }: SessionEvent,
  reader: Reader,
): Promise<SubjectView | undefined> {
  if (collection === 'deliveries' && subjectId !== null) {
    const delivery = reader.get('deliveries', subjectId);
    return delivery && subjectOfDelivery(delivery, reader);
  }
  const isKnown = collection !== null && Object.hasOwn(SUBJECTS, collection);
  return isKnown && subjectId !== null ? subjectIn(reader, collection as KnownCollection, subjectId) : undefined;
}

async function subjectIn<C extends KnownCollection>(
  reader: Reader,
  collection: C,
  id: string,
): Promise<SubjectView | undefined> {
  const record = reader.get(collection, id);
  const view: (record: Records[C]) => SubjectView = SUBJECTS[collection];
  return record && view(record);
}
