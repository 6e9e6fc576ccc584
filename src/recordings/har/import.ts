import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { isMembers, membersOf } from '../../base/members.ts';
import { Masks } from '../masks.ts';
import { type Exchange, RecordingError } from '../recording.ts';
import { RecordingWriter } from '../recording-writer.ts';
import { fail, isWebSocket, membersAt, type ReadEntry, readEntry } from './entry.ts';
import { MaskedCredentials } from './masked-credentials.ts';

/** What became of the entries of an archive. */
export interface Imported {
  /** The recording's file. */
  file: string;
  upstream: string;
  calls: number;
  notifications: number;
  /** Whether credentials were masked in the archive that are not those of shipped merchants. */
  hasMaskedCredentials: boolean;
  /** Whether several merchants have tokens in an archive that masks these alike. */
  hasMixedTokens: boolean;
  /** Entries that were left out. */
  leftOut: { webSockets: number; elsewhere: readonly { origin: string; entries: number }[] };
}

interface Archive {
  entries: readonly ReadEntry[];
  webSockets: number;
  isOurs: boolean;
  /** Where it was made of a recording, whose values are masked already. */
  recording: { upstream: string; masked: readonly string[] } | undefined;
}

/** What is ours and is no call: an attempt at a delivery of a sandbox, or a notification of a recording. */
const NOTIFICATION = /^(?:delivery|notification)-\d+\b/;

/**
 * Makes a recording of an HTTP archive: of its entries below the base address `upstream`, which may be left out where all calls went to
 * one, and of what an archive of ours says to be notifications. Throws RecordingError.
 */
export async function importArchive(path: string, folder: string, upstream?: string): Promise<Imported> {
  const archive = readArchive(path);
  const base = upstream ?? archive.recording?.upstream ?? onlyBaseIn(archive, path);
  const { exchanges, elsewhere } = exchangesBelow(new URL(base), archive);
  const [first] = exchanges;
  if (!first) {
    throw new RecordingError(`${path} has nothing below ${base}${listOf(elsewhere)}`);
  }
  const masks = archive.recording ? undefined : new Masks();
  const masked = [...(archive.recording?.masked ?? masks?.names ?? [])];
  const writer = await RecordingWriter.create(folder, { upstream: base, startedAt: first.at, masked });
  const credentials = new MaskedCredentials();
  for (const exchange of exchanges) {
    const restored = credentials.inExchange(exchange);
    await writer.write(masks?.inExchange(restored) ?? restored);
  }
  await writer.close();
  const calls = exchanges.filter(({ kind }) => kind === 'call').length;
  const leftOut = { webSockets: archive.webSockets, elsewhere };
  return {
    ...{ file: writer.file, upstream: base, calls, notifications: exchanges.length - calls },
    ...{ hasMaskedCredentials: credentials.hasOthers, hasMixedTokens: credentials.hasMixedTokens, leftOut },
  };
}

function readArchive(path: string): Archive {
  let archive: unknown;
  try {
    archive = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RecordingError(`${path} cannot be read as an HTTP archive: ${messageOf(error)}`);
  }
  try {
    const log = membersAt(membersAt(archive, 'the archive')['log'], 'log');
    const list = Array.isArray(log['entries']) ? log['entries'] : fail('log.entries', 'a list', log['entries']);
    const entries = list.flatMap((entry: unknown, index) =>
      isMembers(entry) && isWebSocket(entry) ? [] : [readEntry(entry, `log.entries[${index}]`)],
    );
    // Sorting is stable: what began in the same millisecond stays in its order.
    entries.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    const { upstream, masked } = membersOf(log['_recording']);
    return {
      entries,
      webSockets: list.length - entries.length,
      isOurs: membersOf(log['creator'])['name'] === 'merchant-sandbox',
      recording:
        typeof upstream === 'string' && Array.isArray(masked) ? { upstream, masked: masked.map(String) } : undefined,
    };
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`${path}: ${error.message}`) : error;
  }
}

/** In the order in which they began, numbered in that order. */
function exchangesBelow(
  base: URL,
  archive: Archive,
): { exchanges: Exchange[]; elsewhere: { origin: string; entries: number }[] } {
  const exchanges: Exchange[] = [];
  const elsewhere = new Map<string, number>();
  const counts = { call: 0, notification: 0 };
  for (const entry of archive.entries) {
    const kind = isNotification(entry, archive) ? 'notification' : 'call';
    const target = kind === 'call' ? targetBelow(base, entry) : pathOf(entry);
    if (target === undefined) {
      const origin = originOf(entry);
      elsewhere.set(origin, (elsewhere.get(origin) ?? 0) + 1);
      continue;
    }
    counts[kind] += 1;
    const { at, method, headers, body, ms, answer, error } = entry;
    exchanges.push({ kind, id: `${kind}-${counts[kind]}`, at, method, target, headers, body, ms, answer, error });
  }
  return { exchanges, elsewhere: [...elsewhere].map(([origin, entries]) => ({ origin, entries })) };
}

function isNotification({ comment }: ReadEntry, { isOurs }: Archive): boolean {
  return isOurs && NOTIFICATION.test(comment);
}

/** Path and query as they were written; undefined where the address is not below. */
function targetBelow(base: URL, entry: ReadEntry): string | undefined {
  const prefix = base.pathname.replace(/\/$/, '');
  const path = pathOf(entry);
  const rest = path.slice(prefix.length);
  return entry.url.origin === base.origin && path.startsWith(prefix) && /^(?:[/?]|$)/.test(rest)
    ? rest.replace(/^(?!\/)/, '/')
    : undefined;
}

function pathOf({ address }: ReadEntry): string {
  const path = address.replace(/^[a-z][\w+.-]*:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/');
  // As some write an address for people to read.
  return path.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}

/** Of an address such as `data:`, its scheme. */
function originOf({ url }: ReadEntry): string {
  return url.origin === 'null' ? url.protocol : url.origin;
}

function onlyBaseIn(archive: Archive, path: string): string {
  const calls = archive.entries.filter(
    (entry) => !isNotification(entry, archive) && /^https?:$/.test(entry.url.protocol),
  );
  const bases = new Map<string, number>();
  for (const entry of calls) {
    // A session of a sandbox has a base address of its own.
    const [session = ''] = (archive.isOurs && /^\/s\/[^/?]+/.exec(pathOf(entry))) || [];
    const base = `${entry.url.origin}${session}`;
    bases.set(base, (bases.get(base) ?? 0) + 1);
  }
  const [only, ...others] = bases.keys();
  if (only === undefined) {
    throw new RecordingError(`${path} has no call to record`);
  }
  if (others.length > 0) {
    const found = [...bases].map(([origin, entries]) => ({ origin, entries }));
    throw new RecordingError(`${path} has calls to several services: say which with --upstream${listOf(found)}`);
  }
  return only;
}

function listOf(found: readonly { origin: string; entries: number }[]): string {
  const shown = found.map(({ origin, entries }) => `${origin} (${entries})`);
  return shown.length === 0 ? '' : `; it has ${shown.join(', ')}`;
}
