import { isWildcardAddress, machineAddresses } from '../../../base/addresses.ts';
import { hostOf } from '../../../base/text/url.ts';
import type { Settings } from '../../config/settings.ts';

/** The host names and addresses under which the sandbox can be reached by HTTPS, each once; addresses without brackets or zones. */
export function hostsOf({ host, publicUrl, tlsHost }: Pick<Settings, 'host' | 'publicUrl' | 'tlsHost'>): string[] {
  const listenHosts = isWildcardAddress(host) ? machineAddresses(host).map(({ address }) => address) : [host];
  const publicHosts = publicUrl === undefined ? [] : [hostOf(new URL(publicUrl))];
  const hosts = ['localhost', '127.0.0.1', '::1', ...listenHosts, ...publicHosts, ...tlsHost];
  return [...new Set(hosts.map((each) => each.replace(/%.*$/, '').toLowerCase()))];
}
