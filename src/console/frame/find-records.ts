import { useEffect, useState } from 'preact/hooks';
import { ask, type ListPage } from '../api.ts';
import { pathOfRecord } from '../path-of-record.ts';
import { RECORD_KINDS } from '../record-kinds.ts';

/** The pause in typing after which the search starts. */
const PAUSE_MS = 250;
const MIN_CHARACTERS = 2;
/** Maximum number of found records of each kind; the lists have more. */
const MAX_FOUND = 3;

interface FoundRecord {
  name: string;
  path: string;
}

/** Records with these words in a text that the control API searches, such as a name, a reference or an amount. */
export function useFoundRecords(words: string): readonly FoundRecord[] {
  const [found, setFound] = useState<readonly FoundRecord[]>([]);
  useEffect(() => {
    // Results for other words must not be opened.
    setFound([]);
    if (words.length < MIN_CHARACTERS) {
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const all = await Promise.all(
        Object.keys(RECORD_KINDS).map((each) => findInCollection(each, words, abort.signal)),
      );
      abort.signal.aborted || setFound(all.flat());
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [words]);
  return found;
}

async function findInCollection(collection: string, search: string, signal: AbortSignal): Promise<FoundRecord[]> {
  const kind = RECORD_KINDS[collection];
  if (kind === undefined) {
    return [];
  }
  type ListedRecord = { id: string; state?: string };
  const query = { search, limit: MAX_FOUND };
  // Without an answer there are no results; the screen already shows that the sandbox does not answer.
  const page = await ask<ListPage<ListedRecord>>('GET', kind.path, { query, signal }).catch(() => undefined);
  return (page?.items ?? []).map((record) => ({
    name: `Open ${kind.name} ${kind.referenceOf(record)}${record.state === undefined ? '' : ` · ${record.state}`}`,
    path: pathOfRecord(collection, record.id) ?? '',
  }));
}
