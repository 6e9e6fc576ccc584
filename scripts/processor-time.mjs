// User and system time of this process, and of all ended processes that it has started.
import { readFileSync } from 'node:fs';

/** Ticks per second in /proc. */
const CLOCK_TICKS = 100;

/** Returns seconds. They do not include other processes if the system has no /proc. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ofEndedChildren();
}

function ofEndedChildren() {
  try {
    return timesOf('self').ofEndedChildren;
  } catch {
    return 0;
  }
}

/** Seconds that a process has used, and those of its children that have ended. Throws without /proc. */
export function timesOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / CLOCK_TICKS, ofEndedChildren: (childrenUser + childrenSystem) / CLOCK_TICKS };
}

/** Processor time of `compute` on the machine for which budgets are stated, without other work. */
const REFERENCE_SECONDS = 0.36;

/**
 * The factor by which this machine currently needs more processor time for the same work: at least 1. It depends on the processor,
 * and on other work that uses its caches.
 */
export function slowness() {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1e6 / REFERENCE_SECONDS);
}

function compute() {
  const records = Array.from({ length: 2000 }, (_, index) => ({ id: `payment-${index}`, shares: [index, 2 * index] }));
  const text = JSON.stringify(records);
  for (let round = 0; round < 400; round += 1) {
    JSON.stringify(JSON.parse(text));
  }
}
