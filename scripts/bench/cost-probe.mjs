// Loaded into the sandbox's process before the program: the bytes that it allocated and the promises that it made go into the file
// that the query names, when it ends. Bytes are those of the heap, so the process must be started with room for all its garbage.
import { writeFileSync } from 'node:fs';
import { getHeapStatistics, promiseHooks } from 'node:v8';

const file = new URL(import.meta.url).searchParams.get('file');
let promises = 0;
promiseHooks.onInit(() => {
  promises += 1;
});
process.on('exit', () => writeFileSync(file, JSON.stringify({ bytes: getHeapStatistics().used_heap_size, promises })));
