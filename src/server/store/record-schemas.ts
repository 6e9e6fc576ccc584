import { loadSchema } from '../../base/schema/load-schema.ts';
import { COLLECTIONS } from './collections.ts';
import type { CollectionName } from './store.ts';

let schemaNames: Record<CollectionName, string> | undefined;

/** The schema of each collection's records, from schemas/state.json. */
export function recordSchemas(): Readonly<Record<CollectionName, string>> {
  if (!schemaNames) {
    const { properties } = loadSchema('state')['$defs'].session;
    const names = Object.keys(COLLECTIONS).map((collection) => {
      const reference: string = properties[collection].items.$ref;
      return [collection, reference.replace(/\.json$/, '')];
    });
    schemaNames = Object.fromEntries(names) as Record<CollectionName, string>;
  }
  return schemaNames;
}
