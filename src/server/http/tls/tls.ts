import { LAST_MACHINE_INSTANT } from '../../../base/time.ts';
import { machineNow } from '../../../base/timers.ts';
import { SettingsError } from '../../config/resolve-settings.ts';
import type { Settings } from '../../config/settings.ts';
import { authorityIn, signFor } from './authority.ts';
import { dataFolder } from './data-folder.ts';
import { hostsOf } from './hosts.ts';
import { ownCertificate } from './own-certificate.ts';

/** Certificates and key for HTTPS, as PEM. */
export interface Tls {
  port: number;
  /** The certificate for clients; if it is the user's own, with its chain. */
  certificate: string;
  key: string;
  /** The certificate that clients must trust; undefined for the user's own certificate. */
  authority: Authority | undefined;
}

/** The public part of a certificate authority. */
export interface Authority {
  certificate: string;
  /** Path of the certificate without its key, for programs that are configured with a path. */
  file: string;
}

/**
 * The certificate for the settings: the user's own, or one that the CA of this machine signs now. Undefined without HTTPS. Throws
 * SettingsError with a line for each problem.
 */
export async function tlsFor(
  settings: Readonly<Settings>,
  onWarning: (message: string) => void,
): Promise<Tls | undefined> {
  assertConsistent(settings);
  const { httpsPort, tlsCert, tlsKey, tlsFolder } = settings;
  if (httpsPort === undefined) {
    return undefined;
  }
  // Certificates, like sessions' clocks, cannot show years of more than four digits.
  const now = Math.min(Math.max(machineNow(), 0), LAST_MACHINE_INSTANT);
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { port: httpsPort, ...ownCertificate(tlsCert, tlsKey, now, onWarning), authority: undefined };
  }
  const authority = await authorityIn(tlsFolder ?? dataFolder(), now);
  const { certificate, file } = authority;
  return { port: httpsPort, ...(await signFor(authority, hostsOf(settings), now)), authority: { certificate, file } };
}

function assertConsistent({ port, httpsPort, tlsCert, tlsKey, tlsFolder, tlsHost }: Readonly<Settings>): void {
  const problems: string[] = [];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [given, missing] = tlsCert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    problems.push(`${given} also needs ${missing}: a certificate of your own and its private key`);
  }
  const flags = { '--tls-cert': tlsCert, '--tls-key': tlsKey, '--tls-folder': tlsFolder, '--tls-host': tlsHost[0] };
  const [unused] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (httpsPort === undefined && unused !== undefined) {
    problems.push(`${unused} is for HTTPS; also name its port with --https-port`);
  }
  if (tlsCert !== undefined && tlsHost.length > 0) {
    problems.push('--tls-host is for certificates that are made here; one of your own names its hosts itself');
  }
  if (httpsPort === port && port !== 0) {
    problems.push(`--https-port must be another port than --port, not ${port} as well`);
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
}
