import type { ListeningServer } from '../http/server.ts';
import type { AppParts } from './entry-points.ts';
import type { Front } from './store-engine.ts';

export interface RunningParts
  extends Pick<AppParts, 'lifecycle' | 'sender' | 'metrics' | 'log' | 'sessions' | 'store'> {
  server: ListeningServer;
  front: Front | undefined;
  stopReloading(): Promise<void>;
  stopExpiring(): void;
}

/** From the outside in: calls that still arrive are answered as long as that is possible. */
export async function closeAll({
  lifecycle,
  server,
  front,
  sessions,
  stopReloading,
  stopExpiring,
  ...others
}: RunningParts) {
  lifecycle.isStopping = true;
  await stopReloading();
  stopExpiring();
  if (front) {
    // First, so that no accepted connection is cut before it is seen: clients that try another address then lose nothing.
    server.stopListening();
    await front.stop();
  }
  const stopped = server.stop();
  await sessions.stop();
  await stopped;
  others.sender.close();
  front?.close();
  others.metrics.close();
  await others.store.close();
  await others.log.close();
}
