import { Refusal } from '../../base/refusal.ts';
import type { Reader } from '../sessions/reader.ts';
import type { AnyRecord, CollectionName, IndexedField, Records } from '../store/store.ts';
import type { SessionCall } from './control-operation.ts';

type References = { [C in CollectionName]: readonly IndexedField<C>[] };

/** The references by which a control call may name a record, besides its id. */
const REFERENCES: References = {
  merchants: [],
  payments: ['payerReference', 'paymentId', 'paymentCode'],
  payouts: ['payerReference'],
  settlements: [],
  links: ['reference'],
  images: [],
  recurringPayments: ['reference'],
  paymentTokens: ['reference'],
  shopCodes: ['reference'],
  endpoints: [],
  deliveries: [],
  scenarios: [],
  faultCounts: [],
  webhookQueues: [],
};

/** The record with this id, otherwise the newest record with this reference. Throws `unknown-record`. */
export async function findRecord<C extends CollectionName>(
  reader: Reader,
  collection: C,
  name: string | undefined = '',
): Promise<Records[C]> {
  const record = reader.get(collection, name) ?? newestBy(reader, collection, name);
  if (!record) {
    throw new Refusal('unknown-record', `there is no ${JSON.stringify(name)} among the ${collection} of this session`);
  }
  return record;
}

/** The record that the path of a call names. */
export function readRecord<C extends CollectionName>(
  { session, parameters }: SessionCall,
  collection: C,
): Promise<Records[C]> {
  return session.read((reader) => findRecord(reader, collection, parameters['id']));
}

function newestBy<C extends CollectionName>(reader: Reader, collection: C, reference: string): Records[C] | undefined {
  const matches = REFERENCES[collection].map((field) => reader.find(collection, field, reference));
  const newestOfEach = matches.flatMap((records) => records.at(-1) ?? []);
  // By their numbers, because the clock may have been set back since the first one.
  const numberOf = ({ id }: AnyRecord) => Number(/\d*$/.exec(id)?.[0]);
  return newestOfEach.toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1);
}
