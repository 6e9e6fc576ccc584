import type { Cluster } from '../cluster/cluster.ts';
import type { Listening } from '../http/server.ts';
import type { AppParts } from './entry-points.ts';

/** What is to be closed. */
export interface Running extends Pick<AppParts, 'lifecycle' | 'sender' | 'metrics' | 'log' | 'sessions' | 'store'> {
  server: Listening;
  cluster: Cluster | undefined;
  stopReloading(): Promise<void>;
  stopExpiring(): void;
}

/** From the outside in: what still comes is answered, or sent to another node, as long as that can be. */
export async function closeAll({
  lifecycle,
  server,
  cluster,
  sessions,
  stopReloading,
  stopExpiring,
  ...others
}: Running) {
  lifecycle.isStopping = true;
  await stopReloading();
  stopExpiring();
  if (cluster) {
    // First, so that no connection is cut that was made and not yet seen: those who try another node then lose nothing.
    server.stopListening();
    await cluster.stop();
  }
  const stopped = server.stop();
  await sessions.stop();
  await stopped;
  others.sender.close();
  cluster?.close();
  others.metrics.close();
  await others.store.close();
  await others.log.close();
}
