import { join } from 'node:path';
import { openStore } from '../../../src/server/store/file/embedded-store.ts';
import { describeStore, type EngineUnderTest } from './contract/store.ts';

function onWarning(message: string): never {
  throw new Error(`unexpected warning: ${message}`);
}

const ENGINES: EngineUnderTest[] = [
  {
    name: 'lowdb file and journal',
    durable: true,
    open: (folder) => openStore({ file: join(folder, 'state.json'), syncToDisk: false, onWarning }),
  },
  {
    name: 'lowdb file and journal, each commit synced to the disk',
    durable: true,
    open: (folder) => openStore({ file: join(folder, 'state.json'), syncToDisk: true, onWarning }),
  },
  {
    name: 'lowdb file and journal, with frequent checkpoints',
    durable: true,
    open: (folder) => openStore({ file: join(folder, 'state.json'), syncToDisk: false, onWarning, checkpointBytes: 1 }),
  },
  {
    name: 'memory',
    durable: { reason: 'it writes no file' },
    open: () => openStore({ file: ':memory:', syncToDisk: false, onWarning }),
  },
];

for (const engine of ENGINES) {
  describeStore(engine);
}
