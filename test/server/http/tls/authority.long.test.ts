import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../../../../src/server/config/resolve-settings.ts';
import { authorityIn, signFor } from '../../../../src/server/http/tls/authority.ts';
import { newKey } from '../../../../src/server/http/tls/certificates.ts';
import { ChildProcess } from '../../../crash/child-process.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const DAY_MS = 86_400_000;
const temporaryFolder = temporaryFolders();
const newFolder = () => join(temporaryFolder(), 'of', 'the', 'user');

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function refusalOf(folder: string): Promise<string> {
  try {
    await authorityIn(folder, NOW);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('the folder was accepted');
}

describe("the machine's CA", () => {
  it('is created once, and can only sign certificates of servers', async () => {
    const folder = newFolder();
    const authority = await authorityIn(folder, NOW);
    expect(await authorityIn(folder, NOW + DAY_MS)).toEqual(authority);
    const read = new X509Certificate(authority.certificate);
    expect([read.ca, read.keyUsage, read.publicKey.asymmetricKeyDetails?.namedCurve]).toEqual([
      true,
      ['1.3.6.1.5.5.7.3.1'],
      'prime256v1',
    ]);
    expect(read.subject).toMatch(/^CN=merchant-sandbox CA [\w-]{8}$/);
    expect([read.validFrom, read.validTo]).toEqual(['Feb 28 10:00:00 2026 GMT', 'Feb 26 10:00:00 2036 GMT']);
    expect((await authorityIn(newFolder(), NOW)).certificate).not.toBe(authority.certificate);
  });

  it('is in a folder and file that only its owner can read, with its certificate in another file', async () => {
    for (const umask of [0, 0o377]) {
      const folder = newFolder();
      const before = process.umask(umask);
      try {
        await authorityIn(folder, NOW);
      } finally {
        process.umask(before);
      }
      const paths = [folder, join(folder, '..'), join(folder, 'ca-key.pem'), join(folder, 'ca.pem')];
      expect([umask, ...paths.map(modeOf)]).toEqual([umask, '700', '700', '600', '644']);
      expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).not.toContain('PRIVATE');
      expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
    }
  });

  it('is the same for all sandboxes that start simultaneously for the first time', async () => {
    const folder = newFolder();
    const script = new URL('./print-authority.ts', import.meta.url);
    const processes = Array.from({ length: 6 }, () => ChildProcess.run(script, folder, String(NOW)));
    await Promise.all(processes.map((each) => each.waitForLines(1)));
    for (const each of processes) {
      each.sendLine('go');
    }
    await Promise.all(processes.map((each) => each.exitCode()));
    const { certificate, key } = await authorityIn(folder, NOW);
    expect(processes.map(({ lines }) => JSON.parse(lines[1] ?? ''))).toEqual(
      processes.map(() => ({ certificate, key })),
    );
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).toBe(certificate);
    expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
  });

  it.each([
    ['would expire before a certificate that it signs', NOW + 3260 * DAY_MS],
    ['has expired', NOW + 5000 * DAY_MS],
    ["is not valid yet, because the machine's clock was wrong", NOW - 400 * DAY_MS],
  ])('is renewed when it %s, and certificates of the previous one stay valid', async (_title, later) => {
    const folder = newFolder();
    const authority = await authorityIn(folder, NOW);
    const signed = new X509Certificate((await signFor(authority, ['localhost'], NOW)).certificate);
    const renewed = await authorityIn(folder, later);
    const read = new X509Certificate(renewed.certificate);
    expect(renewed.certificate).not.toBe(authority.certificate);
    expect(read.subject).toBe(new X509Certificate(authority.certificate).subject);
    expect(Date.parse(read.validTo)).toBe(later + 3649 * DAY_MS);
    expect([signed.checkIssued(read), signed.verify(read.publicKey)]).toEqual([true, true]);
    expect(readFileSync(join(folder, 'ca.pem'), 'utf8')).toBe(renewed.certificate);
    expect(await authorityIn(folder, later)).toEqual(renewed);
  });

  it('is not renewed as long as certificates that it signs expire before it', async () => {
    const folder = newFolder();
    const { certificate } = await authorityIn(folder, NOW);
    expect((await authorityIn(folder, NOW + 3250 * DAY_MS)).certificate).toBe(certificate);
  });

  it('has its certificate file restored if that was removed or changed', async () => {
    const folder = newFolder();
    const { certificate, file } = await authorityIn(folder, NOW);
    rmSync(file);
    await authorityIn(folder, NOW);
    expect(readFileSync(file, 'utf8')).toBe(certificate);
    writeFileSync(file, 'something else');
    await authorityIn(folder, NOW);
    expect(readFileSync(file, 'utf8')).toBe(certificate);
  });

  it.each<[string, (keyFile: string) => void | Promise<void>]>([
    ['is truncated', (keyFile) => truncateSync(keyFile, 700)],
    ['is empty', (keyFile) => truncateSync(keyFile, 0)],
    ['lacks its key', (keyFile) => truncateSync(keyFile, readFileSync(join(keyFile, '..', 'ca.pem')).length)],
    [
      'has another key',
      (keyFile) => writeFileSync(keyFile, readFileSync(join(keyFile, '..', 'ca.pem'), 'utf8') + newKey()),
    ],
    [
      'is no CA',
      async (keyFile) => {
        const { certificate, key } = await signFor(await authorityIn(join(keyFile, '..'), NOW), ['localhost'], NOW);
        writeFileSync(keyFile, certificate + key);
      },
    ],
  ])('is refused, and left unchanged, if its file %s', async (_title, damage) => {
    const folder = newFolder();
    await authorityIn(folder, NOW);
    const keyFile = join(folder, 'ca-key.pem');
    await damage(keyFile);
    const before = readFileSync(keyFile, 'utf8');
    expect(await refusalOf(folder)).toBe(
      `the CA of this machine cannot be used: ${keyFile} is damaged: it does not contain a CA and its key. Move it away; the next start makes a new CA, which clients must be told to trust`,
    );
    expect(readFileSync(keyFile, 'utf8')).toBe(before);
  });

  it('is refused if others can read its key or write to its folder', async () => {
    const folder = newFolder();
    await authorityIn(folder, NOW);
    const keyFile = join(folder, 'ca-key.pem');
    chmodSync(keyFile, 0o640);
    expect(await refusalOf(folder)).toBe(
      `the CA of this machine cannot be used: ${keyFile} can be read by other users; chmod 600 ${keyFile}`,
    );
    chmodSync(keyFile, 0o600);
    chmodSync(folder, 0o770);
    expect(await refusalOf(folder)).toBe(
      `the CA of this machine cannot be used: ${folder} can be written by other users; chmod 700 ${folder}`,
    );
    chmodSync(folder, 0o755);
    await expect(authorityIn(folder, NOW)).resolves.toBeDefined();
  });

  it('is refused when its folder cannot be created or its path is not a folder', async () => {
    const folder = temporaryFolder();
    const note = join(folder, 'note');
    writeFileSync(note, '');
    expect(await refusalOf(note)).toBe(`the CA of this machine cannot be used: ${note} is not a folder`);
    expect(await refusalOf(join(note, 'below'))).toMatch(
      /^the CA of this machine cannot be stored \(a part of its path is not a folder\); name another folder with --tls-folder, or use a certificate of your own with --tls-cert and --tls-key$/,
    );
    expect(await refusalOf('/proc/none/at/all')).toContain('cannot be stored (there is no such file');
    mkdirSync(join(folder, 'ca-key.pem'));
    chmodSync(join(folder, 'ca-key.pem'), 0o700);
    expect(await refusalOf(folder)).toContain('ca-key.pem is not a file');
  });

  it('may be in a folder that is a symbolic link', async () => {
    const [folder, link] = [newFolder(), join(temporaryFolder(), 'link')];
    const { certificate } = await authorityIn(folder, NOW);
    symlinkSync(folder, link);
    expect((await authorityIn(link, NOW)).certificate).toBe(certificate);
  });
});

describe('a certificate of a server', () => {
  const hosts = ['localhost', '127.0.0.1', '::1', 'api.provider.example', '*.wild.example', 'fe80::1'];
  const authority = () => authorityIn(newFolder(), NOW);

  it('is signed by the CA, for its names and addresses only', async () => {
    const ca = await authority();
    const issuer = new X509Certificate(ca.certificate);
    const read = new X509Certificate((await signFor(ca, hosts, NOW)).certificate);
    expect([read.checkIssued(issuer), read.verify(issuer.publicKey), read.ca]).toEqual([true, true, false]);
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    for (const host of ['localhost', 'api.provider.example', 'any.wild.example']) {
      expect([host, read.checkHost(host) !== undefined]).toEqual([host, true]);
    }
    for (const address of ['127.0.0.1', '::1', 'fe80::1']) {
      expect([address, read.checkIP(address)]).toEqual([address, address]);
    }
    expect([read.checkHost('other.example'), read.checkIP('127.0.0.2')]).toEqual([undefined, undefined]);
  });

  it('has a unique key and serial number, and a lifetime that browsers accept', async () => {
    const ca = await authority();
    const [one, other] = [await signFor(ca, hosts, NOW), await signFor(ca, hosts, NOW)];
    expect(one.key).not.toBe(other.key);
    const [read, second] = [new X509Certificate(one.certificate), new X509Certificate(other.certificate)];
    expect(read.serialNumber).not.toBe(second.serialNumber);
    expect(read.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    expect(Date.parse(read.validFrom)).toBe(NOW - DAY_MS);
    expect((Date.parse(read.validTo) - Date.parse(read.validFrom)) / DAY_MS).toBe(397);
  });

  it.each([0, Date.parse('2049-12-31T12:00:00Z'), Date.parse('8999-06-01T00:00:00Z')])(
    'can be created at any time of the machine clock: %d',
    async (now) => {
      const ca = await authorityIn(newFolder(), now);
      const read = new X509Certificate((await signFor(ca, hosts, now)).certificate);
      expect(Date.parse(read.validTo)).toBe(now + 396 * DAY_MS);
      expect(Date.parse(new X509Certificate(ca.certificate).validTo)).toBe(now + 3649 * DAY_MS);
    },
  );
});

it('the CA is refused if a folder has the name of its certificate file, and no temporary file remains', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'ca.pem'));
  expect(await refusalOf(folder)).toBe(
    `the CA of this machine cannot be used: ${join(folder, 'ca.pem')} is not a file`,
  );
  expect(readdirSync(folder).sort()).toEqual(['ca-key.pem', 'ca.pem']);
});
