import { createPrivateKey, X509Certificate } from 'node:crypto';
import { linkSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nanoid } from 'nanoid';
import { codeOf, messageOf } from '../../../base/errors.ts';
import { platform } from '../../../base/platform.ts';
import { type Instant, parseDateInWords } from '../../../base/time.ts';
import { SettingsError } from '../../config/resolve-settings.ts';
import type * as Certificates from './certificates.ts';
import { assertOwnFolder, assertSecret, makeFolder, readKeyFile, withTemporary } from './key-files.ts';
import type { KeyPair, Period } from './key-pair.ts';

const DAY_MS = 86_400_000;
/** Clocks of other machines may be behind. */
const BACKDATED_MS = DAY_MS;
/** Browsers reject server certificates that are valid for more than 398 days. */
const SERVER_VALIDITY_MS = 397 * DAY_MS;
const AUTHORITY_VALIDITY_MS = 3650 * DAY_MS;

/** The certificate authority of this machine, with its private key. */
export interface MachineAuthority extends KeyPair {
  /** Path of the certificate without its key. */
  file: string;
}

/**
 * The certificate authority in a folder; created if the folder has none, and renewed before it expires. Two sandboxes
 * that start at the same time use the same one. Throws SettingsError if the folder cannot be used, its files are
 * damaged, or other users can read the key.
 */
export async function authorityIn(folder: string, now: Instant): Promise<MachineAuthority> {
  const certs = await loadCertificates();
  const folderPath = resolve(folder);
  // Key and certificate are in one file, so that no start finds only one of them.
  const keyFile = join(folderPath, 'ca-key.pem');
  const file = join(folderPath, 'ca.pem');
  withSettingsError(folderPath, () => {
    makeFolder(folderPath);
    assertOwnFolder(folderPath);
    if (!statSync(keyFile, { throwIfNoEntry: false })) {
      storeIfFirst(keyFile, newAuthority(certs, now));
    }
  });
  const storedAuthority = withSettingsError(keyFile, () => readAuthority(keyFile));
  const authority = canSign(storedAuthority.certificate, now)
    ? storedAuthority
    : withSettingsError(folderPath, () => renew(certs, keyFile, storedAuthority, now));
  withSettingsError(file, () => publish(file, authority.certificate));
  return { ...authority, file };
}

/** Signs a certificate for a server with these host names and addresses. */
export async function signFor(authority: KeyPair, hosts: readonly string[], now: Instant): Promise<KeyPair> {
  const { serverCertificate } = await loadCertificates();
  return serverCertificate(authority, hosts, periodFrom(now, SERVER_VALIDITY_MS));
}

/** Imported on demand, because most sandboxes never create a certificate. */
function loadCertificates(): Promise<typeof Certificates> {
  return import('./certificates.ts');
}

function periodFrom(now: Instant, milliseconds: number): Period {
  const from = now - BACKDATED_MS;
  return { from, until: from + milliseconds };
}

/** The name distinguishes trusted authorities, and reveals nothing about the user or the machine. */
function newAuthority(certs: typeof Certificates, now: Instant): KeyPair {
  return signAuthority(certs, `merchant-sandbox CA ${nanoid(8)}`, certs.newKey(), now);
}

function signAuthority(certs: typeof Certificates, name: string, key: string, now: Instant): KeyPair {
  return { key, certificate: certs.authorityCertificate(name, key, periodFrom(now, AUTHORITY_VALIDITY_MS)) };
}

/** The first process to store an authority wins. A link is used, because it fails if the file exists, unlike a rename. */
function storeIfFirst(keyFile: string, authority: KeyPair): void {
  withTemporary(keyFile, textOf(authority), 0o600, (temporary) => {
    try {
      linkSync(temporary, keyFile);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
  });
}

/** Keeps name and key, so that certificates that are already signed stay valid. */
function renew(certs: typeof Certificates, keyFile: string, { key, certificate }: KeyPair, now: Instant): KeyPair {
  const name = new X509Certificate(certificate).subject.replace(/^CN=/, '');
  const authority = signAuthority(certs, name, key, now);
  withTemporary(keyFile, textOf(authority), 0o600, (temporary) => platform.replaceFile(temporary, keyFile));
  return authority;
}

/** Whether it is valid now, and for longer than a server certificate that is signed now. */
function canSign(certificate: string, now: Instant): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  return parseDateInWords(validFrom) <= now && parseDateInWords(validTo) >= now + SERVER_VALIDITY_MS;
}

/** Writes the certificate without its key, for clients that are to trust it. */
function publish(file: string, certificate: string): void {
  if (!statSync(file, { throwIfNoEntry: false }) || readKeyFile(file) !== certificate) {
    withTemporary(file, certificate, 0o644, (temporary) => platform.replaceFile(temporary, file));
  }
}

function textOf({ certificate, key }: KeyPair): string {
  return `${certificate}${key}`;
}

/** Throws Error unless the file has a CA with its key, which only the owner can access; callers put the file's name before the message. */
function readAuthority(keyFile: string): KeyPair {
  assertSecret(keyFile);
  const text = readKeyFile(keyFile);
  const [certificate, key] = ['CERTIFICATE', 'PRIVATE KEY'].map(
    (label) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n`).exec(text)?.[0],
  );
  if (certificate === undefined || key === undefined || !isAuthority(certificate, key)) {
    throw new Error(
      'is damaged: it does not contain a CA and its key. Move it away; the next start makes a new CA, which clients must be told to trust',
    );
  }
  return { certificate, key };
}

function isAuthority(certificate: string, key: string): boolean {
  try {
    const parsed = new X509Certificate(certificate);
    return parsed.ca && parsed.checkPrivateKey(createPrivateKey(key)) && parsed.verify(parsed.publicKey);
  } catch {
    return false;
  }
}

function withSettingsError<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = messageOf(error);
    throw new SettingsError(
      codeOf(error) === undefined
        ? `the CA of this machine cannot be used: ${path} ${message}`
        : `the CA of this machine cannot be stored (${message}); name another folder with --tls-folder, or use a certificate of your own with --tls-cert and --tls-key`,
    );
  }
}
