import { join } from 'node:path';
import fc from 'fast-check';
import { cases } from '../cases.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { type Step, steps, takeStep } from './random-steps.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const PUBLIC = 'http://sandbox.example.test';
const folderOf = temporaryFolders();

/** Takes the steps in a session; returns every answer's bytes. */
async function take(sandbox: Sandbox, name: string, all: readonly Step[]): Promise<string[]> {
  const answers: string[] = [];
  for (const step of all) {
    answers.push(await takeStep(sandbox.session(name), step));
  }
  return answers.map((answer) => answer.replaceAll(`/s/${name}/`, '/s/NAME/'));
}

it('gives the same answers to the byte for the same seed, frozen start and requests, side by side', async () => {
  const sandbox = await startSandbox({ now: NOW, publicUrl: PUBLIC, scenario: 'auto-approve' });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      runs += 1;
      const names = [`one-${runs}`, `two-${runs}`] as const;
      const [one, two] = await Promise.all(names.map((name) => take(sandbox, name, all)));
      // The QR code is an image of an address, so it differs with the session's name alone.
      const withoutImage = (answers: string[] | undefined) =>
        answers?.map((answer) => answer.replace(/"paymentQrCode":"[^"]+"/, ''));
      expect(withoutImage(one)).toEqual(withoutImage(two));
    }),
    { numRuns: cases(12) },
  );
  await sandbox.close();
});

it('goes on after a restart with the answers that it would have given without one', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const settings = { now: NOW, publicUrl: PUBLIC, scenario: 'auto-approve' };
      const straight = await startSandbox(settings);
      const expected = [...(await take(straight, 'same', before)), ...(await take(straight, 'same', after))];
      await straight.close();
      const data = join(folderOf(), 'state.json');
      const first = await startSandbox({ ...settings, data });
      const came = await take(first, 'same', before);
      await first.close();
      const second = await startSandbox({ ...settings, data });
      came.push(...(await take(second, 'same', after)));
      await second.close();
      expect(came).toEqual(expected);
    }),
    { numRuns: cases(5) },
  );
});

it('gives other answers for another seed', async () => {
  const sandbox = await startSandbox({ now: NOW });
  const step: Step[] = [{ kind: 'pay', walletName: 'WALLET_CARD_A', cents: 100 }];
  await sandbox.client.createSession('other', { seed: 'other', now: new Date(NOW).toISOString() });
  expect(await take(sandbox, 'other', step)).not.toEqual(await take(sandbox, 'usual', step));
  await sandbox.close();
});
