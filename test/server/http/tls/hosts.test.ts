import { networkInterfaces } from 'node:os';
import { resolveSettings } from '../../../../src/server/config/resolve-settings.ts';
import { hostsOf } from '../../../../src/server/http/tls/hosts.ts';

const settings = { host: '127.0.0.1', publicUrl: undefined, tlsHost: [] };
const loopback = ['localhost', '127.0.0.1', '::1'];

it.each([
  ['nothing else', {}, []],
  ['the address that it listens on', { host: '192.0.2.7' }, ['192.0.2.7']],
  ['an address with a zone, without it', { host: 'fe80::1%eth0' }, ['fe80::1']],
  ['the host of the public address', { publicUrl: 'https://Pay.example:8443/base' }, ['pay.example']],
  ['an address in the public address', { publicUrl: 'https://[2001:db8::1]:8443' }, ['2001:db8::1']],
  ['the hosts of --tls-host, each once', { tlsHost: ['a.example', 'localhost', 'a.example'] }, ['a.example']],
])('the names in a certificate are loopback and %s', (_title, changed, further) => {
  expect(hostsOf({ ...settings, ...changed })).toEqual([...loopback, ...further]);
});

it("the names in a certificate include the machine's addresses if the sandbox listens on all", () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  expect(hostsOf({ ...settings, host: '0.0.0.0' })).toEqual([...loopback, ...addresses.map(({ address }) => address)]);
});

it.each([
  ['api.provider.example', ['api.provider.example']],
  ['a.example, b.example,192.0.2.1,2001:db8::1', ['a.example', 'b.example', '192.0.2.1', '2001:db8::1']],
  ['*.provider.example', ['*.provider.example']],
  ['Bücher.example', ['xn--bcher-kva.example']],
])('the names in a certificate can be set by --tls-host %s', (text, hosts) => {
  expect(resolveSettings({ 'tls-host': text }).tlsHost).toEqual(hosts);
});

it.each(['a.example,', 'https://a.example', 'a.example:4443', 'a b', '*', 'a.*.example', '-a.example', 'a..b'])(
  'an invalid --tls-host is refused: %j',
  (text) => {
    expect(() => resolveSettings({ 'tls-host': text })).toThrow(
      `--tls-host must be only host names and addresses, such as api.provider.example,192.0.2.1, not ${JSON.stringify(text)}`,
    );
  },
);
