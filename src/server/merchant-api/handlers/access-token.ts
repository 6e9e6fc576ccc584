import type { MerchantCredentialsRequest } from '../../../base/schema/generated/requests.ts';
import type { AccessTokenResponse } from '../../../base/schema/generated/responses.ts';
import { issueAccessToken } from '../../domain/merchants/access-tokens.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type Call, type HandlerResult, merchantOf } from '../operation.ts';

/** Exchanges credentials for a token. A merchant that is not activated gets one too, with a flag. Source: INTERFACE.md, "Authentication". */
export function getAccessToken(call: Call<MerchantCredentialsRequest>, reader: Reader): HandlerResult {
  const merchant = merchantOf(call);
  const token = issueAccessToken(reader, merchant, call.plan.tokenLifetime);
  const { id, email, firstName, lastName, role } = merchant.user;
  const answer: AccessTokenResponse = {
    token,
    user: {
      id,
      email,
      firstName,
      lastName,
      role,
      token,
      accountId: merchant.accountId,
      activationActivated: merchant.activated,
    },
    errorResponse: { errorMessage: null, statusCode: 0 },
  };
  return { answer };
}
