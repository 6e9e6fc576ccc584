import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Used bytes of the heap after a garbage collection. */
export function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
