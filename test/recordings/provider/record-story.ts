import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Masks } from '../../../src/recordings/masks.ts';
import { Recorder } from '../../../src/recordings/recorder/recorder.ts';
import { RecordingWriter } from '../../../src/recordings/recording-writer.ts';
import { VirtualClock } from './clock.ts';
import type { Deviation } from './deviations.ts';
import { Provider } from './provider.ts';
import { type Call, shopStatus, shopStory } from './shop.ts';

const START = '2026-03-01T10:00:00.000Z';

/** Records the calls of a shop and the notifications of the provider through the recorder, as a user would. */
export async function recordStory(folder: string, deviations: ReadonlySet<Deviation> = new Set()): Promise<void> {
  const clock = new VirtualClock(START);
  const writer = await RecordingWriter.create(folder, {
    upstream: 'https://provider.test',
    startedAt: START,
    masked: [],
  });
  const shop = await startShop();
  let onWritten: () => void = () => undefined;
  let recorderUrl = '';
  /** Waits until the exchange is written, which happens after its answer; the clock must not move before that. */
  const call: Call = async (url, init) => {
    const written = new Promise<void>((resolve) => {
      onWritten = resolve;
    });
    const response = await fetch(url, init).catch(() => undefined);
    await written;
    return response;
  };
  const provider = new Provider(clock, deviations, (init) => call(`${recorderUrl}/_recorder/notifications`, init));
  const recorder = new Recorder({
    upstream: new URL(await provider.start()),
    webhook: new URL(shop.url),
    host: '127.0.0.1',
    port: 0,
    masks: new Masks(),
    writer: {
      async write(exchange) {
        await writer.write({ ...exchange, at: new Date(clock.now).toISOString() });
        onWritten();
      },
      close: () => writer.close(),
    },
  });
  recorderUrl = await recorder.listen();
  await shopStory(recorderUrl, clock, call);
  await recorder.close();
  await Promise.all([provider.close(), shop.close()]);
}

async function startShop() {
  const attempts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    const number = (attempts.get(body) ?? 0) + 1;
    attempts.set(body, number);
    response.writeHead(shopStatus(body, number)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
