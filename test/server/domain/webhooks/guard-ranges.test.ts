import { promisify } from 'node:util';
import fc from 'fast-check';
import { checkTarget, type GuardRules, guardedLookup } from '../../../../src/server/domain/webhooks/target-guard.ts';
import { cases } from '../../../cases.ts';
import { resolverOf } from './resolver.ts';

const EXPOSED: GuardRules = { isExposed: true, allowedHosts: [] };
const LOCAL: GuardRules = { isExposed: false, allowedHosts: [] };

function accepts(host: string, rules: GuardRules): boolean {
  try {
    checkTarget(`http://${host}/hook`, rules);
    return true;
  } catch {
    return false;
  }
}

/** The spellings of an IPv4 address in URLs and in answers of name servers. */
function spellings([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string[] {
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const [high, low] = [(a << 8) | b, (c << 8) | d].map((word) => word.toString(16));
  const octal = [a, b, c, d].map((byte) => `0${byte.toString(8)}`).join('.');
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    String(number),
    `0x${number.toString(16)}`,
    octal,
    `${a}.${b}.${(c << 8) | d}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
  ];
}

const byte = fc.nat({ max: 255 });
const inRange = (...fixed: number[]) =>
  fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.map((each, at) => fixed[at] ?? each));

/** First bytes of addresses in IANA's registry of special-purpose addresses. */
const SPECIAL = [
  [10],
  [127],
  [192, 0, 0],
  [192, 0, 2],
  [192, 168],
  [198, 51, 100],
  [203, 0, 113],
  [192, 88, 99],
  [172, 16],
  [198, 18],
  [100, 64],
  [250],
];
const NEVER_CALLED = [[0], [169, 254], [168, 63, 129, 16], [100, 100, 100, 200], [192, 0, 0, 192], [230]];

it('a special address is never called from a sandbox that others can reach, in any spelling', () => {
  const special = fc.oneof(...[...SPECIAL, ...NEVER_CALLED].map((fixed) => inRange(...fixed)));
  fc.assert(
    fc.property(special, (address) => {
      expect(spellings(address).filter((host) => accepts(host, EXPOSED))).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
});

it('a metadata service, link-local or multicast address is never called, in any spelling', () => {
  fc.assert(
    fc.property(fc.oneof(...NEVER_CALLED.map((fixed) => inRange(...fixed))), (address) => {
      expect(spellings(address).filter((host) => accepts(host, LOCAL))).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
  const others = [
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[ff02::1]',
    '[::]',
    'metadata.google.internal',
    'METADATA.goog.',
    'metadata',
  ];
  expect(others.filter((host) => accepts(host, LOCAL))).toEqual([]);
});

it('a public address can be called, and private ones if the sandbox is not exposed or they are allowed', () => {
  fc.assert(
    fc.property(inRange(8), (address) => {
      expect(spellings(address).filter((host) => !accepts(host, EXPOSED))).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
  expect(['10.0.0.1', '127.0.0.1', '[::1]', '192.0.0.1'].map((host) => accepts(host, LOCAL))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(accepts('10.0.0.1', { isExposed: true, allowedHosts: ['10.0.0.1'] })).toBe(true);
});

it('the address that a name resolves to is checked when connecting', async () => {
  const names = resolverOf({ 'shop.test': ['127.0.0.1'] });
  const lookup = promisify(guardedLookup(EXPOSED, names));
  await expect(lookup('shop.test', {})).rejects.toThrow('loopback address');
  await expect(lookup('shop.test', { all: true })).rejects.toThrow('loopback address');
  await expect(promisify(guardedLookup(LOCAL, names))('shop.test', {})).resolves.toBe('127.0.0.1');
});
