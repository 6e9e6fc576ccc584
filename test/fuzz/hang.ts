/** How much of the processor's time an answer may take, in milliseconds, with all that goes on beside it. */
const BUSY_MS = 2000;
/** How long nothing at all may come, however busy the machine is with others. */
const SILENCE_MS = 120_000;

/**
 * Calls back once an answer is overdue, and never after it was cancelled. Client and sandbox are one process, so a hang either
 * uses up the process's own time, whatever else runs on the machine, or goes on in silence.
 */
export function whenOverdue(callback: (error: Error) => void, busyMilliseconds = BUSY_MS): () => void {
  const started = process.cpuUsage();
  let waited = 0;
  const look = () => {
    waited += BUSY_MS;
    const { user, system } = process.cpuUsage(started);
    const busy = Math.round((user + system) / 1000);
    if (busy >= busyMilliseconds || waited >= SILENCE_MS) {
      callback(new Error(`no answer within ${busy} ms of the processor's time`));
    } else {
      timer = setTimeout(look, BUSY_MS);
    }
  };
  let timer = setTimeout(look, BUSY_MS);
  return () => clearTimeout(timer);
}
