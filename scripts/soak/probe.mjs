// Loaded into the sandbox's process before the program: answers each message with its memory, without garbage.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

process.on('message', () => {
  const delay = delays.percentile(99) / 1e6;
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heap: heapUsed + external, delay, resources: process.getActiveResourcesInfo().length });
  // The garbage collection above delayed the event loop, not the program.
  setImmediate(() => delays.reset());
});
// The sandbox must end with a soak test that has failed.
process.on('disconnect', () => process.exit(1));
// The channel must not keep the process alive, otherwise an ended program would not be noticed.
process.channel.unref();
