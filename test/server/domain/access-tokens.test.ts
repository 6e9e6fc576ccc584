import { signToken, verifyAccessToken } from '../../../src/server/domain/merchants/access-tokens.ts';

const FROM = Date.parse('2026-03-01T10:00:00Z');
const UNTIL = FROM + 3_600_000;
const tokenOf = (seed: string) => signToken(seed, { id: 7, merchantId: 'M-1000' }, FROM, UNTIL);

it('an access token is accepted until it ends, also if it was accepted before', async () => {
  const token = await tokenOf('one');
  for (const now of [FROM, UNTIL - 1, FROM, 0]) {
    expect(await verifyAccessToken('one', now, token)).toBe('M-1000');
  }
  for (const now of [UNTIL, UNTIL + 1]) {
    await expect(verifyAccessToken('one', now, token)).rejects.toMatchObject({
      kind: 'bad-bearer',
      message: expect.stringContaining('expired by the session clock'),
    });
  }
});

it('an access token is refused from its end on, also if it was never used before', async () => {
  const expired = verifyAccessToken('fresh', UNTIL, await tokenOf('fresh'));
  await expect(expired).rejects.toThrow('expired by the session clock');
});

it('a session refuses a token of a session with another seed, and its own token after a change', async () => {
  const token = await tokenOf('one');
  expect(await verifyAccessToken('one', FROM, token)).toBe('M-1000');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const forged = Buffer.from(claims, 'base64url').toString().replace('M-1000', 'M-1001');
  const changed = [head, Buffer.from(forged).toString('base64url'), signature].join('.');
  for (const [seed, wrong] of [
    ['two', token],
    ['one', changed],
  ] as const) {
    await expect(verifyAccessToken(seed, FROM, wrong)).rejects.toMatchObject({ kind: 'bad-bearer' });
  }
});

it('a token that names no merchant is rejected', async () => {
  const token = await signToken('one', { id: 7 }, FROM, UNTIL);
  await expect(verifyAccessToken('one', FROM, token)).rejects.toMatchObject({ kind: 'bad-bearer' });
});
