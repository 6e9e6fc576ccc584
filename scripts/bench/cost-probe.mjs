// Loaded into the sandbox's process before the program: when it ends, writes the number of allocated bytes and promises to the file
// that the query names. Reads the size of the heap, so the process must be started with room for all its garbage.
import { writeFileSync } from 'node:fs';
import { getHeapStatistics, promiseHooks } from 'node:v8';

const file = new URL(import.meta.url).searchParams.get('file');
let promises = 0;
promiseHooks.onInit(() => {
  promises += 1;
});
process.on('exit', () => writeFileSync(file, JSON.stringify({ bytes: getHeapStatistics().used_heap_size, promises })));
