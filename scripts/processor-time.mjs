// Processor time of this process, in its own mode and in the system's, with that of all processes that it started and that have ended.
import { readFileSync } from 'node:fs';

/** In which /proc counts a second. */
const CLOCK_TICKS = 100;

/** In seconds. Without /proc, that of the other processes is not known. */
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

/** Seconds of processor time of `compute` on the machine for which budgets are stated, when it is quiet. */
const REFERENCE = 0.36;

/**
 * By how much this machine needs more processor time for the same work, at this moment: at least 1.
 * A slow processor does, and so does one that shares its caches with other work.
 */
export function slowness() {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1e6 / REFERENCE);
}

function compute() {
  const records = Array.from({ length: 2000 }, (_, index) => ({ id: `payment-${index}`, shares: [index, 2 * index] }));
  const text = JSON.stringify(records);
  for (let round = 0; round < 400; round += 1) {
    JSON.stringify(JSON.parse(text));
  }
}
