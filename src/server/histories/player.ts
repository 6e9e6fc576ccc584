import { connect } from 'node:net';
import { headerPairs } from '../../base/header-pairs.ts';
import type { CallEntry, HistoryEntry } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import { type Playback, StepMissing } from './playback.ts';

/** Where a history is played. */
export interface Stage {
  session(): Session;
  playback: Playback;
  /** The base address of the sandbox. */
  url: string;
}

/** A step that did not come when the history was played, and which came instead. */
export interface Stop {
  entry: HistoryEntry;
  instead: readonly string[];
}

/** Headers about the connection that a call came by, and not about the call. */
const OF_CONNECTION = /^(?:connection|content-length|transfer-encoding|expect|keep-alive|upgrade)$/i;
/** Bytes that stand for a body that was thrown away; of a longer one the sandbox does not read on. */
const MOST_FILLER = 80 * 1024 * 1024;
/** What a control call says of where it comes from, which is another place now. */
const OF_PLACE = /^(?:host|origin|referer|cookie|authorization|x-sandbox-control-token|sec-fetch-.*)$/i;

/** Plays what was recorded, step by step. Resolves with the step that did not come; undefined where all did. */
export async function playEntries(entries: readonly HistoryEntry[], stage: Stage): Promise<Stop | undefined> {
  const sockets = new Map<string, () => void>();
  const answered = new Set(entries.flatMap((entry) => (entry.kind === 'answer' && entry.answer ? [entry.of] : [])));
  let { machine } = stage.playback.from;
  try {
    for (const entry of entries) {
      machine = entry.kind === 'call' ? entry.machineAt : machine;
      stage.session().clock.play(entry.at, machine);
      try {
        await playEntry(entry, stage, sockets, answered);
      } catch (error) {
        if (error instanceof StepMissing) {
          return { entry, instead: error.instead };
        }
        throw error;
      }
    }
    return undefined;
  } finally {
    for (const destroy of sockets.values()) {
      destroy();
    }
  }
}

async function playEntry(
  entry: HistoryEntry,
  { playback, url }: Stage,
  sockets: Map<string, () => void>,
  answered: ReadonlySet<string>,
): Promise<void> {
  switch (entry.kind) {
    case 'call':
      sockets.set(entry.id, send(entry, url, answered.has(entry.id)));
      return playback.happened(`call ${entry.id}`);
    case 'turn':
    case 'sending':
      return playback.letGo(entry.kind, entry.of);
    case 'sent':
      playback.giveOutcome(entry.of, entry.outcome);
      return playback.happened(`sent ${entry.of}`);
    case 'answer':
      if (entry.answer === null) {
        sockets.get(entry.of)?.();
      }
      await playback.letGo(entry.kind, entry.of);
      sockets.get(entry.of)?.();
      sockets.delete(entry.of);
  }
}

/**
 * Writes the bytes of a call to a connection of its own, as they are: a client would refuse some that a server takes. Returns how to
 * cut it. What comes back is not looked at: the session's own history says what was answered.
 */
function send(call: CallEntry, url: string, isAnswered: boolean): () => void {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(Buffer.from(headOf(call, url), 'latin1'));
  const { body } = call;
  if (body) {
    socket.write(body);
  } else if (isAnswered) {
    // The sandbox refused it by its head and threw away what came.
    socket.write(Buffer.alloc(Math.min(lengthOf(call), MOST_FILLER)));
  }
  return () => socket.destroy();
}

function headOf(call: CallEntry, url: string): string {
  const { method, target, headers, origin, body } = call;
  const lines = [`${method} ${target} HTTP/1.1`];
  for (const [name, value] of headerPairs(headers)) {
    const isLeftOut = OF_CONNECTION.test(name) || (origin === 'control' && OF_PLACE.test(name));
    if (!isLeftOut) {
      lines.push(`${name}: ${value}`);
    }
  }
  if (origin === 'control' || headerOf(call, 'host') === undefined) {
    lines.push(`Host: ${new URL(url).host}`);
  }
  const length = body?.length ?? lengthOf(call);
  if (
    length > 0 ||
    headerOf(call, 'content-length') !== undefined ||
    headerOf(call, 'transfer-encoding') !== undefined
  ) {
    lines.push(`Content-Length: ${length}`);
  }
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
}

function lengthOf(call: CallEntry): number {
  return Number(headerOf(call, 'content-length') ?? 0);
}

function headerOf({ headers }: CallEntry, wanted: string): string | undefined {
  return headerPairs(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
