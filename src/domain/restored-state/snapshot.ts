import type { SessionState } from '../../base/schema/records.ts';
import type { CollectionName, Records } from '../../store/store.ts';

/** All that a session keeps, as it is fetched and put back. */
export type SessionSnapshot = { state: SessionState } & Partial<{ [Name in CollectionName]: Records[Name][] }>;
