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
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS;
  } catch {
    return 0;
  }
}
