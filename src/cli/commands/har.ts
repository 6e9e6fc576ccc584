import { statSync } from 'node:fs';
import { plural } from '../../base/text/plural.ts';
import { printableLines } from '../../base/text/printable.ts';
import { parseUrl } from '../../base/text/url.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';

/** Recordings as HTTP archives, which browsers and proxies write and read. */
export const HAR_COMMAND: Command = {
  name: 'har',
  parameters: ['<from>'],
  options: [
    { flags: '-o, --output <to>', help: 'file to write, or folder of the recording' },
    {
      flags: '--upstream <url>',
      help: 'base address of the service: other entries are left out (default: the one that all calls went to)',
    },
  ],
  help: 'write a recording to an HTTP archive (HAR 1.2), or make a recording of one',
  details: () =>
    'From a folder with a recording it writes an archive, from an archive it makes a recording; secrets and personal data are masked.',
  findsSandbox: true,
  run: (_client, [from = ''], options) => convert(from, options),
};

async function convert(from: string, { output, upstream }: Options): Promise<Shown> {
  if (typeof output !== 'string') {
    throw new UsageError('har needs --output <to>, the archive to write or the folder of the recording to make');
  }
  const { RecordingError } = await import('../../recordings/recording.ts');
  try {
    return isFolder(from) ? await toArchive(from, output, upstream) : await toRecording(from, output, upstream);
  } catch (error) {
    throw error instanceof RecordingError ? new UsageError(error.message) : error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function toArchive(folder: string, file: string, upstream: Options[string]): Promise<Shown> {
  if (upstream !== undefined) {
    throw new UsageError('--upstream is for an archive: a recording has the base address of its service');
  }
  const { Recording } = await import('../../recordings/recording.ts');
  const { exportArchive } = await import('../../recordings/har/export.ts');
  const recording = await Recording.open(folder);
  await exportArchive(recording, file);
  const data = { file, entries: recording.size };
  return { data, text: printableLines(`${file}: ${plural(recording.size, 'entry', 'entries')}`) };
}

async function toRecording(file: string, folder: string, upstream: Options[string]): Promise<Shown> {
  if (typeof upstream === 'string' && !/^https?:$/.test(parseUrl(upstream)?.protocol ?? '')) {
    throw new UsageError(`--upstream must be an http or https address; received ${upstream}`);
  }
  const { importArchive } = await import('../../recordings/har/import.ts');
  const imported = await importArchive(file, folder, typeof upstream === 'string' ? upstream : undefined);
  const { calls, notifications, leftOut } = imported;
  const lines = [
    `${imported.file}: ${plural(calls, 'call')} to ${imported.upstream}, ${plural(notifications, 'notification')}`,
    ...(leftOut.webSockets > 0 ? [`left out: ${plural(leftOut.webSockets, 'WebSocket')}`] : []),
    ...leftOut.elsewhere.map(({ origin, entries }) => `left out: ${plural(entries, 'entry', 'entries')} of ${origin}`),
  ];
  return { data: imported, text: printableLines(lines.join('\n')) };
}
