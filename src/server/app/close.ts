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

/** Closes the outermost parts first, so that calls that still arrive are answered for as long as possible. */
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
    // Stops accepting connections first, because a client whose accepted connection is cut loses its call.
    server.stopListening();
    await front.stop();
  }
  const serverStop = server.stop();
  await sessions.stop();
  await serverStop;
  others.sender.close();
  front?.close();
  others.metrics.close();
  await others.store.close();
  await others.log.close();
}
