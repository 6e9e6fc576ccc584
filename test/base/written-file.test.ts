import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileBytes, readJsonFile, readText } from '../../src/base/written-file.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();

function fileOf(content: string | Uint8Array): string {
  const file = join(newFolder(), 'file.json');
  writeFileSync(file, content);
  return file;
}

const TEXT = '{\r\n  "a": "ü"\r\n}\r\n';

it.each([
  ['with CRLF', TEXT],
  ['with a byte order mark', `\uFEFF${TEXT}`],
])('JSON %s is read', (_, text) => {
  expect(readJsonFile(fileOf(text))).toEqual({ a: 'ü' });
});

it('readText removes a byte order mark and nothing else', () => {
  expect(readText(fileOf(`\uFEFF\uFEFF${TEXT}`))).toBe(`\uFEFF${TEXT}`);
});

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

it.each<[string, Buffer, string]>([
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le'), 'it is UTF-16 text'],
  ['UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le'), 'it is UTF-16 text'],
  ['big-endian UTF-16 with a byte order mark', bigEndian(`\uFEFF${TEXT}`), 'it is UTF-16 text'],
  ['big-endian UTF-16 without a byte order mark', bigEndian(TEXT), 'it is UTF-16 text'],
  ['Latin-1', Buffer.from(TEXT, 'latin1'), 'it is not UTF-8 text, at line 2'],
  ['a binary file', Buffer.from('PK\u0003\u0004\0\0'), 'it is not text'],
])('%s is refused, with advice', (_, bytes, words) => {
  expect(() => readText(fileOf(bytes))).toThrow(`cannot be read: ${words}; save it as UTF-8`);
});

it('a file of more than 500 MB is refused', () => {
  const file = fileOf('');
  truncateSync(file, 500 * 1024 * 1024 + 1);
  expect(() => readText(file)).toThrow('cannot be read: it has more than 500 MB');
});

it('a pipe is read up to the limit, and refused beyond it', async () => {
  const pipe = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const endless = spawn('sh', ['-c', `yes > ${pipe}`], { stdio: 'ignore' });
  expect(() => readFileBytes(pipe, 1)).toThrow('it has more than 1 MB');
  await once(endless, 'exit');
  spawn('sh', ['-c', `head -c 1048576 /dev/zero > ${pipe}`], { stdio: 'ignore' });
  expect(readFileBytes(pipe, 1)).toHaveLength(1024 * 1024);
});

it('a file that does not exist is refused with the reason in words', () => {
  expect(() => readText(join(newFolder(), 'none'))).toThrow(/^cannot be read: there is no such file/);
});

it('a text that is not JSON is refused with the position of the error and a suggestion', () => {
  expect(() => readJsonFile(fileOf('{\r\n  "a": 1,\r\n}'))).toThrow(
    'is not JSON: at line 3, column 1, expected a field name in double quotes; remove the comma before it',
  );
});
