// Loaded into the sandbox's process before the program: answers each message with what the process holds, garbage left out.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

process.on('message', () => {
  const delay = delays.percentile(99) / 1e6;
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ rss, heap: heapUsed + external, delay, resources: process.getActiveResourcesInfo().length });
  // The collection just now held the loop up, not the program.
  setImmediate(() => delays.reset());
});
// A soak test that failed leaves nothing behind.
process.on('disconnect', () => process.exit(1));
// Whoever asks keeps the program running by nothing but the program.
process.channel.unref();
