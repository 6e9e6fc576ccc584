import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { toDate } from '../../../base/time.ts';
import type { KeyPair, Period } from './key-pair.ts';

// Certificates of RFC 5280: ECDSA over P-256, signed with SHA-256.

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';

/** A new private key, as PEM. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A certificate authority's own certificate. It can sign certificates of servers, but not of other authorities. */
export function authorityCertificate(name: string, key: string, period: Period): string {
  const publicKey = publicKeyOf(key);
  return signCertificate(key, {
    issuer: nameOf(name),
    subject: nameOf(name),
    publicKey,
    period,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifierOf(publicKey))),
    ],
  });
}

/** The certificate of a server for these host names and addresses, with a new key. */
export function serverCertificate(authority: KeyPair, hosts: readonly string[], period: Period): KeyPair {
  const key = newKey();
  const publicKey = publicKeyOf(key);
  const issuer = AsnConvert.parse(new X509Certificate(authority.certificate).raw, Certificate);
  const names = hosts.map((host) => new GeneralName(isIP(host) === 0 ? { dNSName: host } : { iPAddress: host }));
  const certificate = signCertificate(authority.key, {
    issuer: issuer.tbsCertificate.subject,
    subject: nameOf('merchant-sandbox'),
    publicKey,
    period,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names)),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(identifierOf(publicKey))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({
          keyIdentifier: new KeyIdentifier(identifierOf(issuer.tbsCertificate.subjectPublicKeyInfo)),
        }),
      ),
    ],
  });
  return { certificate, key };
}

interface Contents {
  issuer: Name;
  subject: Name;
  publicKey: SubjectPublicKeyInfo;
  period: Period;
  extensions: Extension[];
}

function signCertificate(key: string, { issuer, subject, publicKey, period, extensions }: Contents): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer,
    subject,
    validity: new Validity({ notBefore: toDate(period.from), notAfter: toDate(period.until) }),
    subjectPublicKeyInfo: publicKey,
    extensions: new Extensions(extensions),
  });
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), key);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: toArrayBuffer(signatureValue),
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

/** A random number of 127 bits, because RFC 5280 requires a positive one. */
function serialNumber(): ArrayBuffer {
  const number = randomBytes(16);
  number[0] = ((number[0] ?? 0) & 0x7f) | 0x40;
  return toArrayBuffer(number);
}

function publicKeyOf(key: string): SubjectPublicKeyInfo {
  return AsnConvert.parse(createPublicKey(key).export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);
}

function identifierOf({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return toArrayBuffer(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest());
}

function nameOf(text: string): Name {
  const value = new AttributeValue({ utf8String: text });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
