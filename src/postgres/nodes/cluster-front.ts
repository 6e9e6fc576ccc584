import { hostname } from 'node:os';
import { addressOf, isWildcardAddress } from '../../base/addresses.ts';
import type { Front, FrontParts } from '../../server/app/store-engine.ts';
import type { SharedStore } from '../store/shared-store.ts';
import { createClusterGate } from './cluster-gate.ts';
import { ClusterNode } from './cluster-node.ts';
import { Forwarder } from './forwarder.ts';

/** Makes a sandbox one of the nodes that share a store. */
export function createClusterFront(store: SharedStore, { sessions, serve, settings, log, onError }: FrontParts): Front {
  const { sessionIdle: idleMs, sessionTtl: lifetimeMs, nodeUrl } = settings;
  const forwarder = new Forwarder(store.key);
  const onOtherNodes = (addresses: readonly string[]) => forwarder.abortCallsExceptTo(addresses);
  const onWarning = (message: string) => log.warn(message);
  const node = new ClusterNode(store, sessions, {
    idleMs,
    lifetimeMs,
    onOtherNodes,
    onWarning,
    onExpired: (name) => log.info(`session ${name} was dropped: it was not used for longer than --session-ttl`),
  });
  return {
    listener: createClusterGate({ node, forwarder, serve, onError, onWarning }),
    async start(url) {
      const address = nodeUrl ?? reachableUrl(url, settings.host);
      await node.start(address);
      if (!(await forwarder.reachesItself(address))) {
        onWarning(
          `this node does not reach itself at ${address}, where the others are to reach it: check its --node-url`,
        );
      }
    },
    stop: () => node.stop(),
    close: () => forwarder.close(),
  };
}

/** A node that listens on all addresses is reached by its machine's name, because the wildcard address names no machine. */
function reachableUrl(url: string, host: string): string {
  return isWildcardAddress(host) ? addressOf('http', hostname(), new URL(url).port) : url;
}
