// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * An access token.
 */
export interface AccessTokenResponse {
  token: string;
  user: {
    id: number;
    email: string;
    firstName: string;
    lastName: string;
    role: string;
    token: string;
    accountId: number;
    activationActivated: boolean;
  };
  errorResponse: {
    errorMessage: string | null;
    statusCode: number;
  };
}

/**
 * A confirmation in words.
 */
export interface AcknowledgementResponse {
  status: string;
  message: string;
}

/**
 * The banks.
 */
export type BanksResponse = {
  id: number;
  bankName: string;
  bankBICCode: string;
  createdAt: string;
  updatedAt: string;
}[];

/**
 * The currencies.
 */
export type CurrenciesResponse = {
  id: number;
  currencyName: string;
  currencyCode: string;
  currencySymbol: string;
  createdAt: string;
  updatedAt: string;
}[];

/**
 * A refused token.
 */
export interface FailedAccessTokenResponse {
  token: null;
  user: null;
  errorResponse: {
    errorMessage: string;
    statusCode: number;
  };
}

/**
 * A refused operation.
 */
export interface FailedAcknowledgementResponse {
  status: 'Failed';
  message: string;
}

/**
 * A refused payment link.
 */
export interface FailedPaymentLinkResponse {
  status: 'Failed';
  paymentLink: null;
  message: string;
}

/**
 * A refused payment.
 */
export interface FailedPaymentResponse {
  auth: {
    token: null;
    user: null;
    errorResponse: {
      errorMessage: string;
      statusCode: number;
    };
  };
  paymentInitiationResponse: null;
}

/**
 * A refused query.
 */
export interface FailedQueryResponse {
  errorMessage: string;
  statusCode: number;
}

/**
 * The fees of a payment.
 */
export interface FeesResponse {
  id: number;
  feesMerchantId: string;
  feesPaymentMethod: number;
  /**
   * percent
   */
  feesMarkUp: number;
  /**
   * flat
   */
  feesServiceProviderFee: number;
  /**
   * percent
   */
  feesGatewayFee: number;
  feesMinAmount: number;
  feesMaxAmount: number;
  feesStartDate: string;
  feesEndDate: string;
  feesCurrencyId: number;
  feesUserId: string;
  feesStatus: boolean;
  feeTotalToBePaid: number;
}

/**
 * The webhook notification body.
 */
export interface NotificationResponse {
  /**
   * Processing, Paid, Failed, Cancelled or Expired, by the words of the fixture payment-states.json. Changes to a paid payment have their own words: PartlyRefunded, Refunded, PartlyReversed, Reversed, PartlyChargedBack, ChargedBack, ChargebackReversed; so have a payout of which some credits were paid (PartlyPaid), its credits (CreditPaid, CreditFailed, CreditReturned) and the transfer that settles a merchant (SettlementPaid, SettlementReturned; SettlementCollected, SettlementCollectionReturned if a negative balance is collected)
   */
  status: string;
  description: string;
  paymentCurrency: string;
  /**
   * the amount of a payment, a payout or a transfer; for an adjustment or a credit, its own amount, never below 0
   */
  paymentAmount: number;
  /**
   * the charged fees; for a reversal, the returned part of them; for a chargeback, its additional fee; for a refund, a reversed chargeback and a credit, 0
   */
  paymentCharges: number;
  paymentReference: string;
  paymentMethod: string;
  paymentDate: string;
}

/**
 * The payment intervals.
 */
export type PaymentIntervalsResponse = {
  id: number;
  paymentIntervalName: string;
  paymentIntervalDuration: number;
  createdAt: string;
  updatedAt: string;
}[];

/**
 * A payment link.
 */
export interface PaymentLinkResponse {
  status: string;
  paymentLink: {
    paymentProfileName: string;
    paymentProfileDescription: string;
    paymentLinkReference: string;
    paymentLinkUrl: string;
    paymentLinkAmount: number;
    paymentLinkType: 'ONCE_OFF_FIXED' | 'OPEN_FIXED_AMOUNT' | 'OPEN_DYNAMIC_AMOUNT';
    paymentLinkToken: string;
    paymentLinkImageUrl: string;
    paymentLinkStartDate: string;
    paymentLinkEndDate: string;
    paymentLinkIsActive: boolean;
    createdAt: string;
    id: number;
  };
  message: string;
}

/**
 * The notification, and the answer given at initiation.
 */
export interface PaymentStatusResponse {
  /**
   * Processing, Paid, Failed, Cancelled or Expired, by the words of the fixture payment-states.json. Changes to a paid payment have their own words: PartlyRefunded, Refunded, PartlyReversed, Reversed, PartlyChargedBack, ChargedBack, ChargebackReversed
   */
  status: string;
  description: string;
  paymentCurrency: string;
  /**
   * the amount of the payment, also after refunds and chargebacks; the remaining amount is in `description`
   */
  paymentAmount: number;
  /**
   * the charges of the payment
   */
  paymentCharges: number;
  paymentReference: string;
  paymentMethod: string;
  paymentDate: string;
  /**
   * all ten members, or the first six
   */
  paymentInitiationResponse: {
    status: string;
    paymentTokenExpiry: string | null;
    paymentTokenDescription: string;
    paymentToken: string | null;
    paymentId: string | null;
    paymentRedirectUrl: string | null;
    paymentResponseMessage?: string | null;
    paymentProcessedDateTime?: string | null;
    paymentCode?: string | null;
    paymentQrCode?: string | null;
  };
}

/**
 * A payment token.
 */
export interface PaymentTokenResponse {
  status: string;
  message: string;
  paymentToken: string;
  paymentTokenReference: string;
  paymentTokenExpiry: string;
}

/**
 * The answer to a payment initiation.
 */
export interface PaymentResponse {
  auth: {
    token: string;
    user: {
      id: number;
      email: string;
      role: string;
      token: string;
    };
    errorResponse: {
      errorMessage: string | null;
      statusCode: number;
    };
  };
  /**
   * all ten members, or the first six
   */
  paymentInitiationResponse: {
    status: string;
    paymentTokenExpiry: string | null;
    paymentTokenDescription: string;
    paymentToken: string | null;
    paymentId: string | null;
    paymentRedirectUrl: string | null;
    paymentResponseMessage?: string | null;
    paymentProcessedDateTime?: string | null;
    paymentCode?: string | null;
    paymentQrCode?: string | null;
  };
}
