import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../base/refusal.ts';
import type { Merchant } from '../../base/schema/records.ts';
import { verifyAccessToken } from '../../domain/merchants/access-tokens.ts';
import { type Credentials, findMerchant, recognize } from '../../domain/merchants/merchants.ts';
import type { Session } from '../../sessions/session.ts';
import type { Operation } from './operation.ts';

/** What shows whose call it is. */
export interface ShownCall {
  session: Session;
  request: IncomingMessage;
  body: unknown;
  openRegistration: boolean;
}

/**
 * The merchant that a request names: by the credentials in its body, by its bearer token, or by both. A bearer that was not
 * asked for is still checked where the operation names a merchant. Source: INTERFACE.md, "Authentication"; reference, section 3.
 */
export async function authenticateCall(
  operation: Operation,
  call: ShownCall,
  authenticate: (credentials: Credentials) => Promise<Merchant>,
): Promise<Merchant | null> {
  const { session, request, body } = call;
  const hasCredentials = operation.authentication === 'credentials';
  const ofBearer = await authenticateBearer(operation, session, request).catch(async (refused) => {
    throw hasCredentials ? await besideCredentials(refused, call) : refused;
  });
  const ofBody = hasCredentials ? await authenticate(body as Credentials) : null;
  if (ofBearer) {
    checkSame(ofBearer, body as Partial<Credentials> & { recurringMerchantId?: string });
  }
  return ofBody ?? ofBearer;
}

/** The refusal of a bearer, and of the credentials beside it where they are wrong as well: nobody is registered for that. */
async function besideCredentials(refused: unknown, { session, body, openRegistration }: ShownCall): Promise<unknown> {
  if (!(refused instanceof Refusal)) {
    return refused;
  }
  try {
    await recognize(session, body as Credentials, openRegistration);
    return refused;
  } catch (error) {
    return error instanceof Refusal
      ? new Refusal(refused.kind, `${refused.message}; ${error.message}`, { headers: refused.headers })
      : error;
  }
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
      'no bearer token was sent; send Authorization: Bearer <token> from POST /auth/authenticate/merchant',
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
  const wrong = (['merchantApiKey', 'merchantKey'] as const).filter(
    (key) => body[key] !== undefined && body[key] !== merchant[key],
  );
  if (wrong.length > 0) {
    const [are, those] = wrong.length === 1 ? ['is', 'that'] : ['are', 'those'];
    throw new Refusal(
      'wrong-credentials',
      `the ${wrong.join(' and the ')} in the body ${are} not ${those} of merchant ${merchant.id}`,
    );
  }
}
