import type { Unit } from '../../session/unit.ts';
import type { MerchantCredentialsRequest } from '../../shapes/requests.ts';
import type { AccessTokenResponse } from '../../shapes/responses.ts';
import { issueAccessToken } from '../../world/access-tokens.ts';
import { type Call, merchantOf, type Outcome } from '../operation.ts';

/** Exchanges credentials for a token. A merchant that is not activated gets one too; the flag tells. Source: INTERFACE.md, "Authentication". */
export async function getAccessToken(call: Call<MerchantCredentialsRequest>, unit: Unit): Promise<Outcome> {
  const merchant = merchantOf(call);
  const token = await issueAccessToken(unit, merchant);
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
