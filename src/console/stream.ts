import { batch, signal } from '@preact/signals';
import type { CallNotice, ClockView, DeliveryNotice, EventView, OverNotice, SessionView } from '../schema/control.ts';
import { apiAddress } from './address.ts';

/** What the stream says, by the name of the notice. */
export interface Notices {
  event: EventView;
  call: CallNotice;
  delivery: DeliveryNotice;
  clock: ClockView;
  session: SessionView;
  changed: { collection: string; id: string; isRemoved: boolean };
  cleared: Record<string, never>;
  over: OverNotice;
}

/** How it stands with the connection: `paused` while nobody looks at the tab, `closed` where the sandbox has said no. */
export type Connection = 'connecting' | 'live' | 'lost' | 'paused' | 'closed';

export const connection = signal<Connection>('connecting');

type Listener = (data: never) => void;
const listeners = new Map<string, Set<Listener>>();
let source: EventSource | undefined;
let waiting: { name: string; data: unknown }[] = [];
let isFrameAsked = false;

/** Calls back with each notice of that name. Returns how to stop. */
export function onNotice<Name extends keyof Notices>(name: Name, listener: (data: Notices[Name]) => void): () => void {
  return listen(name, listener);
}

/** Calls back whenever all that is shown must be fetched anew: on every connection, and where notices were missed. */
export function onFresh(listener: () => void): () => void {
  return listen('fresh', listener);
}

function listen(name: string, listener: Listener): () => void {
  const all = listeners.get(name) ?? new Set();
  listeners.set(name, all.add(listener));
  return () => all.delete(listener);
}

/** What has come since the last frame is told in one go, so that it is drawn once. */
function tell(name: string, data: unknown): void {
  waiting.push({ name, data });
  if (!isFrameAsked) {
    isFrameAsked = true;
    requestAnimationFrame(() => {
      const told = waiting;
      waiting = [];
      isFrameAsked = false;
      batch(() => {
        for (const notice of told) {
          for (const listener of listeners.get(notice.name) ?? []) {
            listener(notice.data as never);
          }
        }
      });
    });
  }
}

const NAMES: readonly (keyof Notices)[] = [
  'event',
  'call',
  'delivery',
  'clock',
  'session',
  'changed',
  'cleared',
  'over',
];

function connect(): void {
  close();
  connection.value = 'connecting';
  const opened = new EventSource(new URL('stream', apiAddress));
  source = opened;
  opened.addEventListener('ready', ({ data }) => {
    const { session, clock } = JSON.parse(data);
    connection.value = 'live';
    tell('session', session);
    tell('clock', clock);
    tell('fresh', undefined);
  });
  opened.addEventListener('missed', () => tell('fresh', undefined));
  for (const name of NAMES) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => tell(name, JSON.parse(data)));
  }
  opened.addEventListener('over', ({ data }: MessageEvent<string>) => {
    if (JSON.parse(data).reason === 'deleted') {
      close();
      connection.value = 'closed';
    }
  });
  opened.addEventListener('error', () => {
    connection.value = opened.readyState === EventSource.CLOSED ? 'closed' : 'lost';
  });
}

function close(): void {
  source?.close();
  source = undefined;
}

/** A browser holds six connections to a server at most, so a tab that nobody looks at lets its own go. */
function followVisibility(): void {
  if (document.hidden) {
    close();
    connection.value = 'paused';
  } else if (source === undefined) {
    connect();
  }
}

export function startStream(): void {
  document.addEventListener('visibilitychange', followVisibility);
  followVisibility();
}

/** Tries again after a refusal, as after the session was made. */
export function reconnect(): void {
  connect();
}
