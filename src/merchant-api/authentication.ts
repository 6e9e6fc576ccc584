import type { IncomingMessage } from 'node:http';
import { verifyAccessToken } from '../domain/access-tokens.ts';
import { type Credentials, findMerchant } from '../domain/merchants.ts';
import { Refusal } from '../refusal.ts';
import type { Merchant } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import type { Operation } from './operation.ts';

/**
 * The merchant that a request names: by the credentials in its body, by its bearer token, or by both. A bearer that was not
 * asked for is still checked where the operation names a merchant. Source: INTERFACE.md, "Authentication"; reference, section 3.
 */
export async function authenticateCall(
  operation: Operation,
  session: Session,
  request: IncomingMessage,
  body: unknown,
  authenticate: (credentials: Credentials) => Promise<Merchant>,
): Promise<Merchant | null> {
  const ofBearer = await authenticateBearer(operation, session, request);
  const ofBody = operation.authentication === 'credentials' ? await authenticate(body as Credentials) : null;
  if (ofBearer) {
    checkSame(ofBearer, body as Partial<Credentials> & { recurringMerchantId?: string });
  }
  return ofBody ?? ofBearer;
}

/** The merchant of the bearer token; null where none came and none was asked for. Throws `bad-bearer`. */
export async function authenticateBearer(
  { authentication }: Operation,
  session: Session,
  request: IncomingMessage,
): Promise<Merchant | null> {
  if (authentication === 'none') {
    return null;
  }
  const bearer = bearerOf(request);
  if (authentication === 'bearer' && bearer === undefined) {
    throw new Refusal(
      'bad-bearer',
      'no bearer token came; send Authorization: Bearer <token> from POST /auth/authenticate/merchant',
      {
        headers: { 'WWW-Authenticate': 'Bearer' },
      },
    );
  }
  return bearer === undefined ? null : merchantOfBearer(session, bearer);
}

function bearerOf(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) {
    return undefined;
  }
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new Refusal('bad-bearer', 'the Authorization header is not "Bearer <token>"');
  }
  return token;
}

async function merchantOfBearer(session: Session, token: string): Promise<Merchant> {
  const id = await verifyAccessToken(session.state.seed, session.clock.now(), token);
  const merchant = await findMerchant(session, id);
  if (!merchant) {
    throw new Refusal(
      'bad-bearer',
      `the bearer token is for merchant ${id}, which this session does not know; get a new one`,
    );
  }
  return merchant;
}

/** What a body says of its merchant must agree with the bearer token. */
function checkSame(merchant: Merchant, body: Partial<Credentials> & { recurringMerchantId?: string } = {}): void {
  const named = body.merchantId ?? body.recurringMerchantId;
  if (named !== undefined && named !== merchant.id) {
    throw new Refusal('wrong-credentials', `the bearer token is for merchant ${merchant.id}, the body names ${named}`);
  }
  const wrong = (['merchantApiKey', 'merchantKey'] as const).find(
    (key) => body[key] !== undefined && body[key] !== merchant[key],
  );
  if (wrong) {
    throw new Refusal('wrong-credentials', `the ${wrong} in the body is not that of merchant ${merchant.id}`);
  }
}
