import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../../base/errors.ts';
import { type Instant, parseDateInWords } from '../../../base/time.ts';
import { SettingsError } from '../../config/resolve-settings.ts';
import { readKeyFile } from './key-files.ts';
import type { KeyPair } from './key-pair.ts';

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** The user's own certificate and key, as PEM. Throws SettingsError with a line for each file that cannot be used. */
export function ownCertificate(
  certFile: string,
  keyFile: string,
  now: Instant,
  onWarning: (message: string) => void,
): KeyPair {
  const problems: string[] = [];
  const attempt = <T>(source: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      problems.push(`${source} ${messageOf(error)}`);
      return undefined;
    }
  };
  const certSource = `--tls-cert ${certFile}`;
  const keySource = `--tls-key ${keyFile}`;
  const certificate = attempt(certSource, () => certificateIn(certFile));
  const key = attempt(keySource, () => keyIn(keyFile));
  if (certificate && key) {
    attempt(keySource, () => assertPair(certificate.parsed, key.parsed, certFile));
    // Otherwise a certificate and a key that do not match would be reported twice.
    if (problems.length === 0) {
      attempt(certSource, () => assertServable(certificate.text, key.text));
    }
  }
  if (!certificate || !key || problems.length > 0) {
    throw new SettingsError(...problems);
  }
  if (parseDateInWords(certificate.parsed.validTo) < now) {
    onWarning(`the certificate in ${certFile} ended on ${certificate.parsed.validTo}; clients refuse it`);
  }
  return { certificate: certificate.text, key: key.text };
}

function certificateIn(file: string): { text: string; parsed: X509Certificate } {
  const text = readKeyFile(file);
  if (!CERTIFICATE.test(text)) {
    throw new Error('has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----');
  }
  try {
    return { text, parsed: new X509Certificate(text) };
  } catch {
    throw new Error('has a certificate that cannot be read');
  }
}

function keyIn(file: string): { text: string; parsed: KeyObject } {
  const text = readKeyFile(file);
  if (!PRIVATE_KEY.test(text)) {
    throw new Error('has no private key in PEM form, which begins with -----BEGIN PRIVATE KEY-----');
  }
  if (ENCRYPTED.test(text)) {
    throw new Error('is encrypted; give the key without its password, as `openssl pkey -in <file>` writes it');
  }
  try {
    return { text, parsed: createPrivateKey(text) };
  } catch {
    throw new Error('has a private key that cannot be read');
  }
}

function assertPair(certificate: X509Certificate, key: KeyObject, certFile: string): void {
  if (!certificate.checkPrivateKey(key)) {
    throw new Error(`is not the key of the first certificate in ${certFile}`);
  }
}

/** Throws Error for any other reason why the server would reject them, such as a truncated chain or a short key. */
function assertServable(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`cannot be used (${messageOf(error)})`);
  }
}
