import { signToken, verifyAccessToken } from '../../../../src/server/domain/merchants/access-tokens.ts';

const FROM = Date.parse('2026-03-01T10:00:00Z');
const UNTIL = FROM + 3_600_000;
const PERIOD = { iat: FROM / 1000, exp: UNTIL / 1000 };
const tokenOf = (seed: string) => signToken(seed, { id: 7, merchantId: 'M-1000', ...PERIOD });

it('an access token is accepted until it expires, and then refused even if it was accepted before', () => {
  const token = tokenOf('one');
  for (const now of [FROM, UNTIL - 1, FROM, 0]) {
    expect(verifyAccessToken('one', now, token)).toBe('M-1000');
  }
  for (const now of [UNTIL, UNTIL + 1]) {
    expect(() => verifyAccessToken('one', now, token)).toThrow(
      expect.objectContaining({
        kind: 'bad-bearer',
        message: expect.stringContaining('expired by the session clock'),
      }),
    );
  }
});

it('an access token is refused from its expiry on, even if it was never used before', () => {
  const token = tokenOf('fresh');
  expect(() => verifyAccessToken('fresh', UNTIL, token)).toThrow('expired by the session clock');
});

it('a token is refused under another seed, and after its claims were changed', () => {
  const token = tokenOf('one');
  expect(verifyAccessToken('one', FROM, token)).toBe('M-1000');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const forged = Buffer.from(claims, 'base64url').toString().replace('M-1000', 'M-1001');
  const changed = [head, Buffer.from(forged).toString('base64url'), signature].join('.');
  for (const [seed, wrong] of [
    ['two', token],
    ['one', changed],
  ] as const) {
    expect(() => verifyAccessToken(seed, FROM, wrong)).toThrow(expect.objectContaining({ kind: 'bad-bearer' }));
  }
});

it('a token that names no merchant is refused', () => {
  const token = signToken('one', { id: 7, ...PERIOD });
  expect(() => verifyAccessToken('one', FROM, token)).toThrow(expect.objectContaining({ kind: 'bad-bearer' }));
});
