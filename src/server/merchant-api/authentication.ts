import type { IncomingMessage } from 'node:http';
import { type Awaitable, whenReady } from '../../base/awaitable.ts';
import { Refusal } from '../../base/refusal.ts';
import type { MerchantCredentials } from '../../base/schema/generated/control.ts';
import type { Merchant } from '../../base/schema/generated/records.ts';
import { bearerIn, merchantOfBearer } from '../domain/merchants/bearer.ts';
import { recognize } from '../domain/merchants/merchants.ts';
import type { Session } from '../sessions/session.ts';
import type { Operation } from './operation.ts';

export interface AuthenticationInput {
  session: Session;
  request: IncomingMessage;
  body: unknown;
  /** Whether an unknown merchant is registered with the credentials that it sends (`--merchants open`). */
  canRegister: boolean;
}

/**
 * The merchant that a request names: by the credentials in its body, by its bearer token, or by both. An optional bearer token is checked
 * if it is sent; operations without authentication ignore it. Source: INTERFACE.md, "Authentication"; reference, section 3.
 */
export function authenticateCall(
  operation: Operation,
  call: AuthenticationInput,
  authenticate: (credentials: MerchantCredentials) => Awaitable<Merchant>,
): Awaitable<Merchant | null> {
  const { session, request, body } = call;
  const hasCredentials = operation.authentication === 'credentials';
  let bearerMerchant: Merchant | null;
  try {
    bearerMerchant = authenticateBearer(operation, session, request);
  } catch (bearerError) {
    throw hasCredentials ? combineRefusals(bearerError, call) : bearerError;
  }
  return whenReady(hasCredentials ? authenticate(body as MerchantCredentials) : null, (bodyMerchant) => {
    if (bearerMerchant) {
      assertSameMerchant(bearerMerchant, body as Partial<MerchantCredentials> & { recurringMerchantId?: string });
    }
    return bodyMerchant ?? bearerMerchant;
  });
}

/** The refusal of a bearer token, and of the credentials in the body if they are wrong as well. Registers no merchant. */
function combineRefusals(bearerError: unknown, { session, body, canRegister }: AuthenticationInput): unknown {
  if (!(bearerError instanceof Refusal)) {
    return bearerError;
  }
  try {
    recognize(session.reader, body as MerchantCredentials, canRegister);
    return bearerError;
  } catch (error) {
    return error instanceof Refusal
      ? new Refusal(bearerError.kind, `${bearerError.message}; ${error.message}`, { headers: bearerError.headers })
      : error;
  }
}

/** The merchant of the bearer token; null if none is required and none was sent, or the operation ignores it. Throws `bad-bearer`. */
export function authenticateBearer(
  { authentication }: Operation,
  session: Session,
  request: IncomingMessage,
): Merchant | null {
  if (authentication === 'none') {
    return null;
  }
  const bearer = bearerIn(request.headers.authorization);
  return bearer === undefined && authentication !== 'bearer' ? null : merchantOfBearer(session.reader, bearer);
}

function assertSameMerchant(
  merchant: Merchant,
  body: Partial<MerchantCredentials> & { recurringMerchantId?: string } = {},
): void {
  const id = body.merchantId ?? body.recurringMerchantId;
  if (id !== undefined && id !== merchant.id) {
    throw new Refusal('wrong-credentials', `the bearer token is for merchant ${merchant.id}, the body names ${id}`);
  }
  const wrong = (['merchantApiKey', 'merchantKey'] as const).filter(
    (key) => body[key] !== undefined && body[key] !== merchant[key],
  );
  if (wrong.length > 0) {
    const [verb, pronoun] = wrong.length === 1 ? ['is', 'that'] : ['are', 'those'];
    throw new Refusal(
      'wrong-credentials',
      `the ${wrong.join(' and the ')} in the body ${verb} not ${pronoun} of merchant ${merchant.id}`,
    );
  }
}
