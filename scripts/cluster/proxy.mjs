// A TCP proxy between a node and PostgreSQL that can hold back bytes, release them, and cut connections.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @param {string} database */
export async function startProxy(database) {
  const { hostname, port } = new URL(database);
  const flows = new Set();
  const watchers = new Set();
  let held = { questions: false, answers: false };

  /** One direction of a connection. As on a network, received bytes are forwarded even after the sender is gone. */
  function addFlow(from, to, kind) {
    const waiting = [];
    const passOn = () => {
      while (waiting.length > 0 && !held[kind] && !to.destroyed) {
        const chunk = waiting.shift();
        if (chunk === null) {
          to.end();
        } else {
          to.write(chunk);
        }
      }
    };
    const receive = (chunk) => {
      waiting.push(chunk);
      passOn();
      for (const check of watchers) {
        check();
      }
    };
    const thisFlow = { waiting, passOn, to };
    flows.add(thisFlow);
    from.on('data', receive);
    from.on('end', () => receive(null));
    from.on('error', () => receive(null));
    to.on('close', () => flows.delete(thisFlow));
  }

  const server = createServer({ allowHalfOpen: true }, (node) => {
    const postgres = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    addFlow(node, postgres, 'questions');
    addFlow(postgres, node, 'answers');
    postgres.on('close', () => node.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database);
  url.port = String(server.address().port);

  const cut = () => {
    for (const { to } of flows) {
      to.destroy();
    }
  };
  const isHeld = (text) => [...flows].some(({ waiting }) => Buffer.concat(waiting.filter(Boolean)).includes(text));
  return {
    url: String(url),
    /** Holds back answers only, or both directions. */
    stall({ answersOnly = false } = {}) {
      held = { questions: !answersOnly, answers: true };
    },
    /** Releases the held bytes. Resolves when PostgreSQL has closed the connections that a node has closed. */
    async resume() {
      held = { questions: false, answers: false };
      // `close` is emitted also after an error, which writing to a closed connection causes.
      const closings = [...flows]
        .filter(({ waiting }) => waiting.includes(null))
        .map(({ to }) => new Promise((resolve) => to.once('close', resolve)));
      for (const { passOn } of flows) {
        passOn();
      }
      await Promise.all(closings);
    },
    /** Resolves when a text is among the held bytes. */
    waitUntilHeld(text) {
      return new Promise((resolve) => {
        const check = () => {
          if (isHeld(text)) {
            watchers.delete(check);
            resolve();
          }
        };
        watchers.add(check);
        check();
      });
    },
    /** Breaks all connections, and discards held bytes. */
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
