import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../../../../src/server/config/resolve-settings.ts';
import { authorityIn, signFor } from '../../../../src/server/http/tls/authority.ts';
import { newKey } from '../../../../src/server/http/tls/certificates.ts';
import { ownCertificate } from '../../../../src/server/http/tls/own-certificate.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const temporaryFolder = temporaryFolders();
const folder = temporaryFolder();
const authority = await authorityIn(join(folder, 'ca'), NOW);
const pair = await signFor(authority, ['localhost'], NOW);

function writeFile(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const certFile = writeFile('cert.pem', pair.certificate);
const keyFile = writeFile('key.pem', pair.key);

function linesFor(cert: string, key: string): string[] {
  try {
    ownCertificate(cert, key, NOW, () => undefined);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message.split('\n');
  }
  return [];
}

it("a user's certificate is read with its key in another file or the same one, and with its chain", () => {
  expect(ownCertificate(certFile, keyFile, NOW, () => undefined)).toEqual(pair);
  const chain = pair.certificate + authority.certificate;
  expect(ownCertificate(writeFile('chain.pem', chain), keyFile, NOW, () => undefined).certificate).toBe(chain);
  const certificateAndKey = writeFile('both.pem', pair.certificate + pair.key);
  expect(linesFor(certificateAndKey, certificateAndKey)).toEqual([]);
  const marked = writeFile('marked.pem', `\uFEFF${(pair.key + pair.certificate).replaceAll('\n', '\r\n')}`);
  expect(linesFor(marked, marked)).toEqual([]);
});

it("a user's certificate that has expired is accepted with a warning", () => {
  const warnings: string[] = [];
  ownCertificate(certFile, keyFile, NOW + 400 * 86_400_000, (message) => warnings.push(message));
  expect(warnings).toEqual([`the certificate in ${certFile} ended on Apr  1 10:00:00 2027 GMT; clients refuse it`]);
});

const encrypted = createPrivateKey(pair.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'hush',
});
const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
const body = /\n[^-]+/.exec(pair.certificate)?.[0] ?? '';

it.each([
  ['a missing certificate', join(folder, 'none'), keyFile, ['--tls-cert FILE cannot be read (there is no such file']],
  ['a folder', folder, keyFile, ['--tls-cert FILE is not a file']],
  ['a key instead of a certificate', keyFile, keyFile, ['--tls-cert FILE has no certificate in PEM form']],
  [
    'a certificate in another form',
    writeFile('cert.der', Buffer.from(body, 'base64')),
    keyFile,
    ['--tls-cert FILE has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----'],
  ],
  [
    'a truncated certificate',
    writeFile('cut.pem', pair.certificate.slice(0, 200)),
    keyFile,
    ['--tls-cert FILE has a certificate that cannot be read'],
  ],
  [
    'a truncated chain',
    writeFile('cut-chain.pem', pair.certificate + authority.certificate.slice(0, 200)),
    keyFile,
    ['--tls-cert FILE cannot be used ('],
  ],
  ['a certificate instead of a key', certFile, certFile, ['--tls-key FILE has no private key in PEM form']],
  [
    'an encrypted key',
    certFile,
    writeFile('encrypted.pem', encrypted.toString()),
    ['--tls-key FILE is encrypted; give the key without its password, as `openssl pkey -in <file>` writes it'],
  ],
  [
    'a truncated key',
    certFile,
    writeFile('cut-key.pem', pair.key.slice(0, 100)),
    ['--tls-key FILE has a private key that cannot be read'],
  ],
  [
    'the key of another certificate',
    certFile,
    writeFile('other.pem', newKey()),
    [`--tls-key FILE is not the key of the first certificate in ${certFile}`],
  ],
  ['a key of another kind', certFile, writeFile('weak.pem', weak.toString()), ['--tls-key FILE is not the key']],
  [
    'two files that are both wrong',
    join(folder, 'none'),
    writeFile('note.pem', 'a note'),
    ['--tls-cert FILE cannot be read (there is no such file', '--tls-key FILE has no private key'],
  ],
])("a user's certificate is refused with a line for each wrong file: %s", (_title, cert, key, expected) => {
  const lines = linesFor(cert, key);
  const expectedLines = expected.map((line) => line.replace('FILE', line.startsWith('--tls-cert') ? cert : key));
  expect(lines).toEqual(expectedLines.map((line) => expect.stringContaining(line)));
});
