// Jest's environment for Node.js, with processes that exit as soon as Jest ends them. Jest waits only half a second before it kills a
// process, and on a busy machine several processes that free large heaps at once take longer.
import { TestEnvironment } from 'jest-environment-node';

/** The first entry of the message with which jest-worker ends a process. */
const END = 2;

process.on('message', (message) => {
  if (Array.isArray(message) && message[0] === END) {
    // Not before Jest's own listener has run.
    setImmediate(() => process.exit());
  }
});

export default TestEnvironment;
