import { plural } from '../../base/text/plural.ts';
import { printableLines } from '../../base/text/printable.ts';
import { parseUrl } from '../../base/text/url.ts';
import type { Imported } from '../../recordings/har/import.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';

/** Recordings as HTTP archives, which browsers and proxies write and read. */
export const RECORDING_HAR_COMMANDS: readonly Command[] = [
  {
    name: 'import-har',
    parameters: ['<file>'],
    options: [
      { flags: '--out <folder>', help: 'folder for the recording' },
      {
        flags: '--upstream <url>',
        help: 'base address of the service; other entries are left out (default: the one that all calls went to)',
      },
    ],
    help: 'make a recording of an HTTP Archive (HAR); secrets and personal data are masked',
    needsNoSandbox: true,
    run: (_client, [file = ''], { out, upstream }) =>
      toRecording(file, needed(out, 'the folder for the recording'), upstream),
  },
  {
    name: 'export-har',
    parameters: ['<folder>'],
    options: [{ flags: '--out <file>', help: 'file to write' }],
    help: 'write a recording to an HTTP Archive (HAR)',
    needsNoSandbox: true,
    run: (_client, [folder = ''], { out }) => toArchive(folder, needed(out, 'the file to write')),
  },
];

function needed(out: Options[string], what: string): string {
  if (typeof out !== 'string') {
    throw new UsageError(`--out is missing: ${what}`);
  }
  return out;
}

async function toArchive(folder: string, file: string): Promise<Shown> {
  const { Recording, RecordingError } = await import('../../recordings/recording.ts');
  const { exportArchive } = await import('../../recordings/har/export.ts');
  try {
    const recording = await Recording.open(folder);
    await exportArchive(recording, file);
    const data = { file, entries: recording.size };
    return { data, text: printableLines(`${file}: ${plural(recording.size, 'entry', 'entries')}`) };
  } catch (error) {
    throw error instanceof RecordingError ? new UsageError(error.message) : error;
  }
}

async function toRecording(file: string, folder: string, upstream: Options[string]): Promise<Shown> {
  if (typeof upstream === 'string' && !/^https?:$/.test(parseUrl(upstream)?.protocol ?? '')) {
    throw new UsageError(`--upstream must be an http or https address; received ${upstream}`);
  }
  const { RecordingError } = await import('../../recordings/recording.ts');
  const { importArchive } = await import('../../recordings/har/import.ts');
  try {
    return shown(await importArchive(file, folder, typeof upstream === 'string' ? upstream : undefined));
  } catch (error) {
    throw error instanceof RecordingError ? new UsageError(error.message) : error;
  }
}

function shown(imported: Imported): Shown {
  const { calls, notifications, hasMaskedCredentials, hasMixedTokens, leftOut } = imported;
  const lines = [
    `${imported.file}: ${plural(calls, 'call')} to ${imported.upstream}, ${plural(notifications, 'notification')}`,
    ...(hasMaskedCredentials
      ? ['credentials are masked in the archive and stay so: a sandbox takes them unless it is strict about merchants']
      : []),
    ...(hasMixedTokens
      ? [
          'tokens of several merchants are masked alike in the archive: sent again, calls may use the token of another merchant',
        ]
      : []),
    ...(leftOut.webSockets > 0 ? [`left out: ${plural(leftOut.webSockets, 'WebSocket')}`] : []),
    ...leftOut.elsewhere.map(({ origin, entries }) => `left out: ${plural(entries, 'entry', 'entries')} of ${origin}`),
  ];
  return { data: imported, text: printableLines(lines.join('\n')) };
}
