// Jest's environment for Node.js. A process of it ends when it is told to: Jest waits half a second for that, which several large
// heaps that are freed at once exceed on a busy machine, and would then end it by force.
import { TestEnvironment } from 'jest-environment-node';

/** The first member of the message, of jest-worker. */
const END = 2;

process.on('message', (message) => {
  if (Array.isArray(message) && message[0] === END) {
    // Not before Jest's own listener has run.
    setImmediate(() => process.exit());
  }
});

export default TestEnvironment;
