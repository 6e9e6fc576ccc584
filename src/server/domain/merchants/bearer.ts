import { Refusal } from '../../../base/refusal.ts';
import type { Merchant } from '../../../base/schema/generated/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { verifyAccessToken } from './access-tokens.ts';
import { findMerchant } from './merchants.ts';

/** The token in an Authorization header; undefined without the header. Throws `bad-bearer` for a header of another form. */
export function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) {
    return undefined;
  }
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new Refusal('bad-bearer', 'the Authorization header is not "Bearer <token>"');
  }
  return token;
}

/** The merchant of an access token, by the session's clock and seed. Throws `bad-bearer` without a valid token of a known merchant. */
export function merchantOfBearer(reader: Reader, token: string | undefined): Merchant {
  if (token === undefined) {
    throw new Refusal(
      'bad-bearer',
      'no bearer token was sent; send Authorization: Bearer <token> from POST /auth/authenticate/merchant',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }
  const id = verifyAccessToken(reader.seed, reader.now, token);
  const merchant = findMerchant(reader, id);
  if (!merchant) {
    throw new Refusal(
      'bad-bearer',
      `the bearer token is for merchant ${id}, which this session does not know; get a new one`,
    );
  }
  return merchant;
}
