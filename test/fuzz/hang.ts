/** Milliseconds of processor time that may pass before an answer, including other work of the process. */
const BUSY_MS = 2000;
/** How long the connection may be silent, even on a busy machine. */
const SILENCE_MS = 120_000;

/**
 * Calls back once an answer is overdue. The returned function cancels this. Client and sandbox share this process, so a hang either
 * uses its processor time, whatever the load of the machine, or waits without using any.
 */
export function whenOverdue(callback: (error: Error) => void, busyMilliseconds = BUSY_MS): () => void {
  const started = process.cpuUsage();
  let waited = 0;
  const check = () => {
    waited += BUSY_MS;
    const { user, system } = process.cpuUsage(started);
    const busy = Math.round((user + system) / 1000);
    if (busy >= busyMilliseconds || waited >= SILENCE_MS) {
      callback(new Error(`no answer within ${busy} ms of the processor's time`));
    } else {
      timer = setTimeout(check, BUSY_MS);
    }
  };
  let timer = setTimeout(check, BUSY_MS);
  return () => clearTimeout(timer);
}
