import { join } from 'node:path';
import fc from 'fast-check';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import { SandboxClient } from '../../../src/client/client.ts';
import { cases } from '../../cases.ts';
import { startProgram } from '../../running.ts';
import { startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { type Step, steps, takeStep } from './random-steps.ts';

const NOW = '2026-03-01T10:00:00Z';
const PUBLIC = 'http://sandbox.example.test';
const SETTINGS = { now: Date.parse(NOW), publicUrl: PUBLIC, scenario: 'auto-approve' };
const newFolder = temporaryFolders();

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
afterAll(() => server.stop());

/** Takes the steps in a session. Returns the bytes of every answer. */
async function takeSteps(session: SandboxClient, all: readonly Step[]): Promise<string[]> {
  const answers: string[] = [];
  for (const step of all) {
    answers.push(await takeStep(session, step));
  }
  return answers;
}

async function takeStepsOn(data: string, all: readonly Step[]): Promise<string[]> {
  const sandbox = await startSandbox({ ...SETTINGS, data });
  try {
    return await takeSteps(sandbox.session('same'), all);
  } finally {
    await sandbox.close();
  }
}

describe('the same seed, frozen start and requests give the same bytes', () => {
  it('on every store', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const inMemory = await takeStepsOn(':memory:', all);
        expect(await takeStepsOn(join(newFolder(), 'state.json'), all)).toEqual(inMemory);
        expect(await takeStepsOn(await server.newDatabase(), all)).toEqual(inMemory);
      }),
      { numRuns: cases(4) },
    );
  });

  it('even if the program was killed in between', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        const data = join(newFolder(), 'state.json');
        const args = ['start', '--port', '0', '--data', data, '--now', NOW, '--public-url', PUBLIC];
        const answers: string[] = [];
        for (const part of [before, after]) {
          const program = await startProgram(...args, '--scenario', 'auto-approve', '--log-level', 'error');
          answers.push(...(await takeSteps(new SandboxClient({ url: program.url, session: 'same' }), part)));
          await program.end('SIGKILL');
        }
        expect(answers).toEqual(await takeStepsOn(':memory:', [...before, ...after]));
      }),
      { numRuns: cases(3) },
    );
  });
});
