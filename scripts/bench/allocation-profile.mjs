// Loaded into the sandbox's process before the program: writes all allocations, garbage included, to the file that the query
// names. (`node --heap-prof` shows only what is still in use at the end.)
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const file = new URL(import.meta.url).searchParams.get('file');
const session = new Session();
session.connect();
session.post('HeapProfiler.startSampling', {
  samplingInterval: 1 << 16,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
});
process.on('exit', () => {
  session.post('HeapProfiler.stopSampling', (error, { profile }) => {
    if (error) {
      throw error;
    }
    writeFileSync(file, JSON.stringify(profile));
  });
});
