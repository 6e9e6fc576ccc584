import fc from 'fast-check';
import type { PaymentLink } from '../../../src/base/schema/generated/records.ts';
import { cspOrigin, formTargets, pageHeaders } from '../../../src/server/payer-pages/page-headers.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

const linkTo = (successUrl: string, failureUrl = '') => ({ successUrl, failureUrl }) as PaymentLink;
const policyOf = (...addresses: string[]) =>
  pageHeaders(addresses.map((each) => linkTo(each)))['Content-Security-Policy'] ?? '';

/** Any text, and texts close to an address that would break the policy. */
const address = fc.oneof(
  fc.webUrl(),
  fc.string({ unit: anyCharacter }),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'http:', 'HTTP://', '//', 'javascript:', 'data:', 'ftp://', 'http://u:p@'),
      fc.array(
        fc.oneof(
          fc.constantFrom(
            ';',
            ',',
            ' ',
            '*',
            "'unsafe-inline'",
            'frame-ancestors *',
            '\r\n',
            '\t',
            '%3b',
            'a',
            '.test',
            ':80',
            '[::1]',
            '/',
          ),
          fc.string({ maxLength: 3 }),
        ),
        { maxLength: 6 },
      ),
    )
    .map(([scheme, parts]) => scheme + parts.join('')),
);

it('an address of a merchant adds only its origin to the policy', () => {
  const names = policyOf()
    .split('; ')
    .map((directive) => directive.split(' ')[0]);
  fc.assert(
    fc.property(fc.array(address, { maxLength: 4 }), (addresses) => {
      const policy = policyOf(...addresses);
      const directives = policy.split(';').map((directive) => directive.trim().split(' '));
      expect(directives.map(([name]) => name)).toEqual(names);
      const [, ...targets] = directives.find(([name]) => name === 'form-action') ?? [];
      for (const target of targets.filter((each) => each !== "'self'")) {
        expect(target).toBe(new URL(target).origin);
        expect(target).toMatch(/^https?:\/\/[a-z0-9._-]+(:\d+)?$/);
      }
      expect(policy).not.toMatch(/[^\x20-\x7e]/);
    }),
    { numRuns: cases(1000) },
  );
});

it('the policy names exactly the origins of the addresses', () => {
  expect(
    formTargets([linkTo('https://shop.test/a?b;c', 'http://shop.test:8080/x'), linkTo('https://shop.test/b')]),
  ).toEqual(['https://shop.test', 'http://shop.test:8080']);
});

it.each(['http://a;frame-ancestors/', 'http://*.test/', 'http://[::1]/', 'javascript:alert(1)', 'http://', ''])(
  'the policy has no origin for %j',
  (odd) => {
    expect(cspOrigin(odd)).toBeUndefined();
  },
);
