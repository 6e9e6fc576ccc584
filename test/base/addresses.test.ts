import { addressOf, localAddress } from '../../src/base/addresses.ts';

it.each([
  ['0.0.0.0', 'http://127.0.0.1:4100'],
  ['::', 'http://[::1]:4100'],
  ['192.0.2.1', 'http://192.0.2.1:4100'],
  ['fd00::1', 'http://[fd00::1]:4100'],
])('a server at %s can be reached from this machine at %s, without a name server', (host, address) => {
  expect(addressOf('http', localAddress(host), 4100)).toBe(address);
});
