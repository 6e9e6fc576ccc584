import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInstant } from '../../src/base/time.ts';
import { type Recording, RecordingError, readRecording } from '../../src/recordings/recording.ts';
import { RecordingWriter } from '../../src/recordings/recording-writer.ts';
import { callAt, notificationAt } from './exchanges.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HEAD = { upstream: 'https://provider.test', startedAt: '2026-03-01T10:00:00.000Z', masked: [] };

async function write(...exchanges: Parameters<RecordingWriter['write']>[0][]): Promise<string> {
  const writer = await RecordingWriter.create(folder, HEAD);
  for (const exchange of exchanges) {
    await writer.write(exchange);
  }
  await writer.close();
  return writer.file;
}

function idsIn({ calls }: Recording): string[] {
  return calls.map(({ exchange }) => exchange.id);
}

describe('a recording', () => {
  test('is read unchanged, in the order in which exchanges began', async () => {
    const late = callAt('2026-03-01T10:00:03.000Z', { id: 'call-2', body: { text: 'one\u2028two\r\nthree' } });
    const early = callAt('2026-03-01T10:00:01.000Z', { id: 'call-1', body: { json: { z: 1, a: null, b: '' } } });
    const notification = notificationAt('2026-03-01T10:00:02.000Z', { id: 'notification-1' });
    await write(late, early, notification);
    const recording = await readRecording(folder);
    expect(recording.span).toEqual({ from: parseInstant(early.at), to: parseInstant(late.at) });
    const read = [...recording.calls, ...recording.notifications].map(({ exchange, line }) => [line, exchange]);
    expect(JSON.stringify(read)).toBe(
      JSON.stringify([
        [3, early],
        [2, late],
        [4, notification],
      ]),
    );
  });

  test('lasts until its recorder ends, and can be read from a single file', async () => {
    const early = callAt('2026-03-01T10:00:01.000Z', { id: 'call-1' });
    const writer = await RecordingWriter.create(folder, HEAD);
    await writer.write(early);
    await writer.close('2026-03-01T10:00:09.000Z');
    const recording = await readRecording(writer.file);
    expect(recording.span).toEqual({
      from: parseInstant(early.at),
      to: parseInstant('2026-03-01T10:00:09.000Z'),
    });
    expect(idsIn(recording)).toEqual(['call-1']);
  });

  test('is read without the beginning of a line that a killed recorder left', async () => {
    const file = await write(callAt('2026-03-01T10:00:01.000Z', { id: 'call-1' }));
    appendFileSync(file, '{"kind":"call","id":"call-2","at":"2026');
    const recording = await readRecording(folder);
    expect(idsIn(recording)).toEqual(['call-1']);
    expect(recording.incomplete).toEqual([file]);
  });

  test('is refused if the recorder was killed during its first line', async () => {
    const file = await write();
    writeFileSync(file, '{"kind":"recording"');
    await expect(readRecording(folder)).rejects.toThrow(`${file} has no complete line`);
  });

  test('is read with a byte order mark and CRLF', async () => {
    const file = await write(callAt('2026-03-01T10:00:01.000Z', { id: 'call-1' }));
    writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8').replaceAll('\n', '\r\n')}`);
    expect(idsIn(await readRecording(folder))).toEqual(['call-1']);
  });

  test('names a file that cannot be read', async () => {
    await write();
    mkdirSync(join(folder, 'b.jsonl'));
    await expect(readRecording(folder)).rejects.toThrow(`${join(folder, 'b.jsonl')} cannot be read: it is a folder`);
  });

  test.each([
    ['an empty line', '\n', /:3 is not JSON/],
    ['a line that is not JSON', '{"kind":\n', /:3 is not JSON/],
    [
      'a call without a target',
      `${JSON.stringify({ ...callAt('2026-03-01T10:00:02.000Z'), target: undefined })}\n`,
      /:3: \$\.target/,
    ],
  ])('with %s is refused, with file and line', async (_, text, message) => {
    const file = await write(callAt('2026-03-01T10:00:01.000Z'));
    appendFileSync(file, text);
    await expect(readRecording(folder).then(idsIn)).rejects.toThrow(message);
  });

  test('of another format is refused', async () => {
    writeFileSync(join(folder, 'a.jsonl'), '{"kind":"recording","format":7}\n');
    await expect(readRecording(folder)).rejects.toThrow('has format 7; this version reads 1');
  });

  test('is not found in a folder without one', async () => {
    await expect(readRecording(folder)).rejects.toThrow(RecordingError);
    await expect(readRecording(join(folder, 'nowhere'))).rejects.toThrow(/there is no folder/);
  });

  test('never overwrites another one', async () => {
    await write();
    await expect(write()).rejects.toThrow(/cannot be written/);
  });
});

test('the writer reports that its file was deleted', async () => {
  const writer = await RecordingWriter.create(folder, HEAD);
  rmSync(writer.file);
  await expect(writer.write(callAt(HEAD.startedAt))).rejects.toThrow(/was deleted while it was written/);
  await expect(writer.close()).rejects.toThrow(RecordingError);
});

test('a disk error is reported only by the write that it affects', async () => {
  const writer = await RecordingWriter.create(folder, HEAD);
  const handle = await open(writer.file);
  const write = import.meta.jest.spyOn(Object.getPrototypeOf(handle), 'write');
  write.mockRejectedValueOnce(new Error('no space left'));
  await expect(writer.write(callAt('2026-03-01T10:00:01.000Z'))).rejects.toThrow(
    `${writer.file} cannot be written: no space left`,
  );
  await new Promise((resolve) => setImmediate(resolve));
  write.mockRestore();
  await handle.close();
});
