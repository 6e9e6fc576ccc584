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
