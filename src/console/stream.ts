import { batch, signal } from '@preact/signals';
import type {
  CallNotice,
  ClockView,
  DeliveryNotice,
  EventView,
  OverNotice,
  ReadyNotice,
  SessionView,
} from '../base/schema/generated/control.ts';
import { apiAddress } from './address.ts';
import { type Connection, type StreamRequest, serveTab, type TabMessage } from './stream-hub.ts';

/** The data of the stream's notices, by name. */
export interface Notices {
  ready: ReadyNotice;
  event: EventView;
  call: CallNotice;
  delivery: DeliveryNotice;
  clock: ClockView;
  session: SessionView;
  changed: { collection: string; id: string; isRemoved: boolean };
  cleared: Record<string, never>;
  missed: Record<string, never>;
  /** The session was reset, restored or deleted. */
  over: OverNotice;
  /** The sandbox was restarted without its data, so everything reported before is obsolete. */
  restarted: Record<string, never>;
}

export const connection = signal<Connection>('connecting');

type Listener = (data: never) => void;
const listeners = new Map<string, Set<Listener>>();
let queuedNotices: { name: string; data: unknown }[] = [];
let isFrameRequested = false;

/** Calls back with each notice of that name. Returns a function that stops this. */
export function onNotice<Name extends keyof Notices>(name: Name, listener: (data: Notices[Name]) => void): () => void {
  const all = listeners.get(name) ?? new Set();
  listeners.set(name, all.add(listener));
  return () => all.delete(listener);
}

/** Calls back whenever all data must be fetched again: on every connection, and after missed notices. */
export function onRefetch(listener: () => void): () => void {
  return combineCleanups(onNotice('ready', listener), onNotice('missed', listener));
}

export function combineCleanups(...cleanups: readonly (() => void)[]): () => void {
  return () => {
    for (const cleanup of cleanups) {
      cleanup();
    }
  };
}

/** Notices are collected and passed on once per frame, so that they cause a single rendering. */
function notify(name: string, data: unknown): void {
  queuedNotices.push({ name, data });
  if (!isFrameRequested) {
    isFrameRequested = true;
    requestAnimationFrame(() => {
      const notices = queuedNotices;
      queuedNotices = [];
      isFrameRequested = false;
      batch(() => {
        for (const notice of notices) {
          for (const listener of listeners.get(notice.name) ?? []) {
            listener(notice.data as never);
          }
        }
      });
    });
  }
}

/** The run of the sandbox that the last connection reported. A different run has none of the earlier data. */
let run: string | undefined;

function checkForRestart(notice: ReadyNotice): void {
  if (run !== undefined && notice.run !== run) {
    notify('restarted', {});
  }
  run = notice.run;
}

/** The port to the owner of the stream: a worker that all tabs of the session share; this tab, if the browser has no such workers. */
function openPort(worker: string): MessagePort {
  if (typeof SharedWorker === 'undefined') {
    const { port1, port2 } = new MessageChannel();
    serveTab(port2);
    return port1;
  }
  return new SharedWorker(worker, { type: 'module' }).port;
}

let port: MessagePort | undefined;

function requestStream(isWanted: boolean): void {
  port?.postMessage({ address: new URL('stream', apiAddress).href, isWanted } satisfies StreamRequest);
}

function followVisibility(): void {
  requestStream(!document.hidden);
  if (document.hidden) {
    connection.value = 'paused';
  }
}

/** `worker` is the address of the script that shares the stream. */
export function startStream(worker: string): void {
  port = openPort(worker);
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (document.hidden) {
      return;
    }
    if ('connection' in data) {
      connection.value = data.connection;
    } else {
      if (data.name === 'ready') {
        checkForRestart(data.data as ReadyNotice);
      }
      notify(data.name, data.data);
    }
  };
  document.addEventListener('visibilitychange', followVisibility);
  addEventListener('pagehide', () => requestStream(false));
  addEventListener('pageshow', ({ persisted }) => persisted && followVisibility());
  followVisibility();
}

/** Connects again after a refusal, for example once the session was created. */
export function reconnect(): void {
  requestStream(true);
}
