// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * Bulk payment initiation: one amount split by percentage.
 */
export interface BulkPaymentRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's API key (secret)
   */
  merchantApiKey: string;
  /**
   * the merchant's key (secret)
   */
  merchantKey: string;
  /**
   * a channel's wallet name
   */
  walletName: string;
  /**
   * a decimal with two places
   */
  amount: string;
  /**
   * currency code
   */
  paymentCurrency: string;
  /**
   * free text
   */
  paymentDescription: string;
  /**
   * the payer's name
   */
  payerName: string;
  /**
   * the merchant's own reference
   */
  payerReference: string;
  /**
   * the payer's account id
   */
  payerAccountId: number;
  /**
   * payment profile id
   */
  profileId: number;
  /**
   * digits with country prefix; on the mobile-money channel only
   */
  payerMobile?: string;
  /**
   * one entry per receiving merchant
   *
   * @minItems 1
   * @maxItems 1000
   */
  dynamicPaidList: [
    {
      /**
       * id of an approved merchant
       */
      dynamicMerchantId: string;
      /**
       * a percentage from 1 to 100
       */
      dynamicPayoutPercentage: number;
    },
    ...{
      /**
       * id of an approved merchant
       */
      dynamicMerchantId: string;
      /**
       * a percentage from 1 to 100
       */
      dynamicPayoutPercentage: number;
    }[],
  ];
}

/**
 * Bulk payout: one bank debit split into several credits.
 */
export interface BulkPayoutRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's API key (secret)
   */
  merchantApiKey: string;
  /**
   * the merchant's key (secret)
   */
  merchantKey: string;
  /**
   * an amount with at most two decimals
   */
  debitTotalAmount: number;
  /**
   * currency code
   */
  debitPaymentCurrency: string;
  paymentDescription: string;
  debitBankName: string;
  debitBankBICCode: string;
  debitAccountNumber: string;
  debitAccountName: string;
  payerName: string;
  payerReference: string;
  payerBankReference: string;
  /**
   * @minItems 1
   * @maxItems 1000
   */
  dynamicCreditList: [
    {
      creditMerchantId?: string;
      creditBankName: string;
      creditBankBICCode: string;
      creditAccountNumber: string;
      creditAccountName: string;
      /**
       * an amount with at most two decimals
       */
      creditAmount: number;
    },
    ...{
      creditMerchantId?: string;
      creditBankName: string;
      creditBankBICCode: string;
      creditAccountNumber: string;
      creditAccountName: string;
      /**
       * an amount with at most two decimals
       */
      creditAmount: number;
    }[],
  ];
}

/**
 * Payment calculator.
 */
export interface FeesCalculationRequest {
  /**
   * a wallet name
   */
  paymentMethod: string;
  /**
   * an amount with at most two decimals
   */
  paymentAmount: number;
  /**
   * currency id; 1 is USD
   */
  paymentCurrency: number;
}

/**
 * Merchant credentials, exchanged for an access token.
 */
export interface MerchantCredentialsRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's API key (secret)
   */
  merchantApiKey: string;
  /**
   * the merchant's key (secret)
   */
  merchantKey: string;
}

/**
 * Payment link (fast checkout), multipart/form-data.
 */
export interface PaymentLinkRequest {
  /**
   * digits, the id of the link, when updating; empty when creating
   */
  id: string;
  /**
   * name of the link
   */
  paymentLinkName: string;
  paymentLinkDescription: string;
  paymentLinkReference: string;
  /**
   * a default amount, a decimal with two places at most
   */
  paymentLinkAmount: string;
  paymentLinkType: 'ONCE_OFF_FIXED' | 'OPEN_FIXED_AMOUNT' | 'OPEN_DYNAMIC_AMOUNT';
  paymentLinkImageType: 'NEW' | 'UPDATE' | 'NONE';
  /**
   * digits, the id of a payment profile
   */
  paymentLinkProfileId: string;
  /**
   * a day as yyyy-MM-dd
   */
  paymentLinkStartDate: string;
  /**
   * a day as yyyy-MM-dd
   */
  paymentLinkEndDate: string;
  /**
   * currency code
   */
  paymentLinkCurrency: string;
  /**
   * digits, the id of a currency
   */
  paymentLinkCurrencyId: string;
  paymentLinkOtherCurrencies: 'true' | 'false';
  /**
   * an http or https address for success
   */
  paymentLinkCustomerRedirectUrl: string;
  /**
   * an http or https address for failure
   */
  paymentCustomerFailRedirectUrl: string;
  /**
   * an e-mail address
   */
  paymentLinkEmail: string;
  /**
   * an image file (PNG, JPEG, GIF or WebP, 5 MiB at most)
   */
  paymentLinkImage: {
    fileName: string;
    mediaType: string;
    size: number;
    [k: string]: unknown;
  };
  paymentPayerFullNames: string;
  /**
   * an e-mail address
   */
  paymentPayerEmailAddress: string;
  paymentPayerAddress: string;
  paymentPayerMobile: string;
}

/**
 * Payment status query, as a JSON body or as query parameters.
 */
export interface PaymentStatusRequest {
  /**
   * paymentId, payerReference or paymentCode
   */
  transactionReference: string;
  /**
   * the wallet name of the payment's channel
   */
  walletName: string;
  /**
   * mobile money only
   */
  paymentMobile?: string | null;
  /**
   * QR wallet only: the paymentCode
   */
  transactionCode?: string | null;
}

/**
 * Generates a payment token together with a payment.
 */
export interface PaymentTokenWithPaymentRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's reference for the token
   */
  paymentTokenReferenceRequest: string;
  /**
   * the merchant's API key (secret)
   */
  merchantApiKey?: string;
  /**
   * the merchant's key (secret)
   */
  merchantKey?: string;
  /**
   * a channel's wallet name
   */
  walletName: string;
  /**
   * a decimal with two places
   */
  amount: string;
  /**
   * currency code
   */
  paymentCurrency: string;
  /**
   * free text
   */
  paymentDescription: string;
  /**
   * the payer's name
   */
  payerName: string;
  /**
   * the merchant's own reference
   */
  payerReference: string;
  /**
   * the payer's account id
   */
  payerAccountId: number;
  /**
   * payment profile id
   */
  profileId: number;
  /**
   * digits with country prefix; on the mobile-money channel only
   */
  payerMobile?: string;
}

/**
 * Generates a payment token.
 */
export interface PaymentTokenRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's reference for the token
   */
  paymentTokenReferenceRequest: string;
}

/**
 * Generates a recurring payment.
 */
export interface RecurringPaymentRequest {
  recurringMerchantId: string;
  /**
   * a quoted interval id
   */
  recurringIntervalId: string;
  recurringIntervalName: string;
  /**
   * from requestPaymentToken; the test token of channels.json gives a new one
   */
  recurringPaymentToken: string;
  recurringReference: string;
  recurringDescription: string;
  /**
   * a day as yyyy-MM-dd
   */
  recurringStartDate: string;
  /**
   * a day as yyyy-MM-dd
   */
  recurringExpiryDate: string;
  /**
   * currency code
   */
  recurringCurrency: string;
  /**
   * a decimal with two places
   */
  recurringAmount: string;
  /**
   * payment profile id
   */
  recurringPaymentProfileId: number;
  /**
   * account id
   */
  recurringPaymentAccountId: number;
}

/**
 * Single payment initiation.
 */
export interface SinglePaymentRequest {
  /**
   * the merchant's id
   */
  merchantId: string;
  /**
   * the merchant's API key (secret)
   */
  merchantApiKey: string;
  /**
   * the merchant's key (secret)
   */
  merchantKey: string;
  /**
   * a channel's wallet name
   */
  walletName: string;
  /**
   * a decimal with two places
   */
  amount: string;
  /**
   * currency code
   */
  paymentCurrency: string;
  /**
   * free text
   */
  paymentDescription: string;
  /**
   * the payer's name
   */
  payerName: string;
  /**
   * the merchant's own reference
   */
  payerReference: string;
  /**
   * the payer's account id
   */
  payerAccountId: number;
  /**
   * payment profile id
   */
  profileId: number;
  /**
   * digits with country prefix; on the mobile-money channel only
   */
  payerMobile?: string;
}

/**
 * Requests a sample notification.
 */
export interface WebhookTestRequest {
  /**
   * an http or https address
   */
  url: string;
  /**
   * TRANSACTIONS
   */
  webHookType: string;
}
