import type { LookupAddress } from 'node:dns';
import { checkTarget, type GuardRules, guardedLookup } from '../../../../src/server/domain/webhooks/target-guard.ts';
import { resolverOf } from './resolver.ts';

const LOCAL: GuardRules = { isExposed: false, allowedHosts: [] };
const EXPOSED: GuardRules = { isExposed: true, allowedHosts: [] };

describe('a webhook address', () => {
  it.each([
    'http://127.0.0.1:3000/webhook',
    'https://example.test/hook?a=b',
    'http://[::1]:3000/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://[2002:7f00:1::]/',
  ])('can be %s for a sandbox on loopback', (url) => {
    expect(checkTarget(url, LOCAL).href).toBe(new URL(url).href);
  });

  it.each([
    ['nothing', 'only http and https'],
    ['file:///etc/passwd', 'only http and https'],
    ['http://user@127.0.0.1/', 'credentials'],
    ['http://:secret@127.0.0.1/', 'credentials'],
    ['http://169.254.169.254/', 'metadata'],
    ['http://169.254.169.254./', 'metadata'],
    ['http://100.100.100.200/', 'metadata'],
    ['http://[fd00:ec2::254]/', 'metadata'],
    ['http://169.254.0.1/', 'link-local'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://[::ffff:100.100.100.200]/', 'metadata'],
    ['http://[64:ff9b::6464:64c8]/', 'metadata'],
    ['http://[2002:6464:64c8::]/', 'metadata'],
    ['http://0.0.0.0/', 'not the address of a single machine'],
    ['http://[::]/', 'not the address of a single machine'],
    ['http://224.0.0.1/', 'not the address of a single machine'],
    ['http://[ff02::1]/', 'not the address of a single machine'],
    ['http://255.255.255.255/', 'not the address of a single machine'],
  ])('cannot be %s, even if its host is allowed', (url, rule) => {
    const refusal = expect.objectContaining({ kind: 'business-rule', message: expect.stringContaining(rule) });
    expect(() => checkTarget(url, LOCAL)).toThrow(refusal);
    const host = url.replace(/^\w+:\/\/\[?([^\]/]+).*$/, '$1');
    expect(() => checkTarget(url, { isExposed: true, allowedHosts: [host] })).toThrow(refusal);
  });

  it('is shown without its credentials', () => {
    expect(() => checkTarget('http://ann:hush@127.0.0.1/', LOCAL)).toThrow(
      '"http://***@127.0.0.1/" cannot be notified',
    );
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['[::1]', 'loopback'],
    ['[fd00::1]', 'uniqueLocal'],
    ['[64:ff9b::7f00:1]', 'loopback'],
    ['[2002:a00:1::]', 'private'],
  ])('can have the private host %s in an exposed sandbox only if that host is allowed', (host, range) => {
    const url = `http://${host}/`;
    expect(() => checkTarget(url, EXPOSED)).toThrow(`is a ${range} address`);
    const allowedHosts = [new URL(url).hostname.replace(/^\[|\]$/g, '')];
    expect(checkTarget(url, { isExposed: true, allowedHosts }).href).toBe(new URL(url).href);
  });

  it('in a public network can be called by an exposed sandbox', () => {
    expect(checkTarget('http://1.1.1.1/', EXPOSED).hostname).toBe('1.1.1.1');
  });
});

const NAMES = resolverOf({ 'shop.test': ['127.0.0.1', '::1'] });

function lookUp(rules: GuardRules, host: string, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve) => {
    guardedLookup(rules, NAMES)(host, { all }, (error, addresses) => resolve(error ? error.message : addresses));
  });
}

describe('a host name', () => {
  it('that has private addresses can be called by a sandbox on loopback', async () => {
    expect(await lookUp(LOCAL, 'shop.test', true)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(await lookUp(LOCAL, 'shop.test', false)).toBe('127.0.0.1');
  });

  it('that cannot be resolved is reported', async () => {
    expect(await lookUp(LOCAL, 'no-such-host.test', true)).toContain('ENOTFOUND');
  });

  it('that has private addresses cannot be called by an exposed sandbox, unless the name or each address is allowed', async () => {
    expect(await lookUp(EXPOSED, 'shop.test', true)).toContain('--allow-webhook-host shop.test');
    expect(await lookUp(EXPOSED, 'shop.test', false)).toContain('--allow-webhook-host shop.test');
    for (const allowedHosts of [['shop.test'], ['127.0.0.1', '::1']]) {
      expect(await lookUp({ isExposed: true, allowedHosts }, 'shop.test', false)).toBe('127.0.0.1');
    }
    expect(await lookUp({ isExposed: true, allowedHosts: ['127.0.0.1'] }, 'shop.test', false)).toContain('::1 is a');
  });
});
