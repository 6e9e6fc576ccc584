import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Refusal } from '../../../base/refusal.ts';
import type { Merchant } from '../../../base/schema/generated/records.ts';
import { addDuration, type Instant } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';

/** A cache of each merchant's tokens, by seed and claimed times. May be cleared, because signing the same claims gives the same token. */
const TOKENS_BY_MERCHANT = new WeakMap<Merchant, Map<string, string>>();
const VERIFIED_TOKENS = new Map<string, { seed: string; merchantId: string; until: Instant }>();
const MAX_CACHE_ENTRIES = 1000;
const SIGNERS = new Map<string, (claims: Record<string, unknown>) => string>();

const require = createRequire(import.meta.url);

/** Loaded for the first token, so that the sandbox starts faster. */
const loadJwtLibrary = (): typeof import('fast-jwt') => require('fast-jwt');

/** The key is derived from the session's seed, so that the same seed gives the same tokens. The key is therefore not secret. */
function signingKey(seed: string): string {
  return createHash('sha256').update(`merchant-sandbox token ${seed}`).digest('base64url');
}

/** Signs a JWT (HS256). Source: reference, section 3. */
export function signToken(seed: string, claims: { iat: number; exp: number } & Record<string, unknown>): string {
  let sign = SIGNERS.get(seed);
  if (!sign) {
    sign = loadJwtLibrary().createSigner({ algorithm: 'HS256', key: signingKey(seed) });
    cacheValue(SIGNERS, seed, sign);
  }
  return sign(claims);
}

/** An instant in seconds, as in the claims of tokens. */
export function toSeconds(instant: Instant): number {
  return Math.floor(instant / 1000);
}

/** Calls in the same second with the same lifetime return the same token. */
export function issueAccessToken(
  reader: Reader,
  merchant: Merchant,
  lifetime = reader.fixtures.times.accessTokenLifetime,
): string {
  const until = addDuration(reader.now, lifetime);
  const [iat, exp] = [toSeconds(reader.now), toSeconds(until)];
  const cacheKey = `${iat} ${exp} ${reader.seed}`;
  const tokens = TOKENS_BY_MERCHANT.get(merchant) ?? new Map<string, string>();
  let token = tokens.get(cacheKey);
  if (token === undefined) {
    const { id, user } = merchant;
    token = signToken(reader.seed, { id: user.id, merchantId: id, roles: [user.role], sub: user.email, iat, exp });
    cacheValue(tokens, cacheKey, token);
    TOKENS_BY_MERCHANT.set(merchant, tokens);
  }
  return token;
}

function cacheValue<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= MAX_CACHE_ENTRIES) {
    cache.clear();
  }
  cache.set(key, value);
}

/** Returns the merchant id. Throws `bad-bearer` for a token that is malformed, signed by another key or expired by the session's clock. */
export function verifyAccessToken(seed: string, now: Instant, token: string): string {
  const verifiedToken = VERIFIED_TOKENS.get(token);
  if (verifiedToken?.seed === seed && now < verifiedToken.until) {
    return verifiedToken.merchantId;
  }
  const { merchantId, id, exp } = claimsOf(seed, token);
  if (typeof merchantId !== 'string' || typeof id !== 'number' || typeof exp !== 'number') {
    throw new Refusal(
      'bad-bearer',
      'the bearer token was not issued by this session (other signature or no token at all); get one with POST /auth/authenticate/merchant',
    );
  }
  const until = exp * 1000;
  if (now >= until) {
    throw new Refusal('bad-bearer', 'the bearer token has expired by the session clock; get a new one');
  }
  cacheValue(VERIFIED_TOKENS, token, { seed, merchantId, until });
  return merchantId;
}

/** Empty if the token is malformed or its signature is wrong. The caller checks the expiry by the session's clock. */
function claimsOf(seed: string, token: string): Record<string, unknown> {
  const { createVerifier } = loadJwtLibrary();
  const key = signingKey(seed);
  try {
    return createVerifier({ algorithms: ['HS256'], key, ignoreExpiration: true, ignoreNotBefore: true })(token);
  } catch {
    return {};
  }
}
