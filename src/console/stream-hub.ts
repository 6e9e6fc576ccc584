import type { ClockView, SessionView } from '../base/schema/generated/control.ts';

/** The state of the connection: `paused` while the tab is hidden, `closed` if the sandbox has refused it or the session was deleted. */
export type Connection = 'connecting' | 'live' | 'lost' | 'paused' | 'closed';

/** A visible tab wants the stream at an address; a hidden one releases it. */
export interface StreamRequest {
  address: string;
  isWanted: boolean;
}

/** A message to a tab: a notice of the stream, or the state of the connection. */
export type TabMessage = { name: string; data: unknown } | { connection: Connection };

interface Stream {
  source: EventSource;
  connection: Connection;
  tabs: Set<MessagePort>;
  /** The last `ready` notice with the latest session and clock, for a tab that is opened later; undefined while not connected. */
  ready: { session: SessionView; clock: ClockView } | undefined;
}

const NOTICE_NAMES = ['ready', 'event', 'call', 'delivery', 'clock', 'session', 'changed', 'cleared', 'missed', 'over'];

const streams = new Map<string, Stream>();

/** Shares one stream among all tabs of a session, because a browser opens at most six connections to a server. */
export function serveTab(tab: MessagePort): void {
  tab.onmessage = ({ data: { address, isWanted } }: MessageEvent<StreamRequest>) => {
    if (isWanted) {
      addTab(tab, address);
    } else {
      removeTab(tab, address);
    }
  };
}

function addTab(tab: MessagePort, address: string): void {
  const stream = streams.get(address) ?? openStream(address);
  stream.tabs.add(tab);
  tab.postMessage({ connection: stream.connection } satisfies TabMessage);
  if (stream.ready) {
    tab.postMessage({ name: 'ready', data: stream.ready } satisfies TabMessage);
  }
}

function removeTab(tab: MessagePort, address: string): void {
  const stream = streams.get(address);
  stream?.tabs.delete(tab);
  if (stream?.tabs.size === 0) {
    stream.source.close();
    streams.delete(address);
  }
}

function openStream(address: string): Stream {
  const source = new EventSource(address);
  const stream: Stream = { source, connection: 'connecting', tabs: new Set(), ready: undefined };
  streams.set(address, stream);
  const send = (message: TabMessage) => {
    for (const tab of stream.tabs) {
      tab.postMessage(message);
    }
  };
  const setConnection = (connection: Connection) => {
    stream.connection = connection;
    stream.ready = connection === 'live' ? stream.ready : undefined;
    send({ connection });
  };
  const end = () => {
    source.close();
    streams.delete(address);
    setConnection('closed');
  };
  for (const name of NOTICE_NAMES) {
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      const value = JSON.parse(data);
      if (name === 'ready') {
        setConnection('live');
      }
      updateReady(stream, name, value);
      send({ name, data: value });
      if (name === 'over' && value.reason === 'deleted') {
        end();
      }
    });
  }
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) {
      end();
    } else {
      setConnection('lost');
    }
  });
  return stream;
}

function updateReady(stream: Stream, name: string, value: unknown): void {
  if (name === 'ready') {
    stream.ready = value as Stream['ready'];
  } else if (stream.ready && (name === 'clock' || name === 'session')) {
    stream.ready = { ...stream.ready, [name]: value };
  }
}
