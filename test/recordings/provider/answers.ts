// The answers of a provider, written from the interface's document without any code of the sandbox.

export interface Order {
  walletName: string;
  amount: string;
  paymentCurrency: string;
  payerReference: string;
  merchantId: string;
  status: string;
  /** When it last changed, in milliseconds. */
  changedAt: number;
  description: string;
  initiation: Record<string, unknown>;
}

const USER = { id: 77, email: 'till@shop.test', firstName: 'Tilda', lastName: 'Shop', role: 'MERCHANT' };
/** A picture of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NOTHING = {
  paymentTokenExpiry: null,
  paymentToken: null,
  paymentId: null,
  paymentRedirectUrl: null,
  paymentResponseMessage: null,
  paymentProcessedDateTime: null,
  paymentCode: null,
  paymentQrCode: null,
};
const MEMBERS = [
  'status',
  'paymentTokenExpiry',
  'paymentTokenDescription',
  'paymentToken',
  'paymentId',
  'paymentRedirectUrl',
  'paymentResponseMessage',
  'paymentProcessedDateTime',
  'paymentCode',
  'paymentQrCode',
] as const;

export function jwt(claims: object): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ typ: 'JWT', alg: 'HS512' })}.${part(claims)}.${part({ none: 'of this is signed, it is only looked at' })}`;
}

export function accessToken(merchantId: string, now: number) {
  const token = jwt({ merchantId, iat: now });
  return {
    token,
    user: { ...USER, token, accountId: 4711, activationActivated: true },
    errorResponse: { errorMessage: null, statusCode: 0 },
  };
}

export function authOf(merchantId: string, now: number) {
  const { firstName: _, lastName: __, ...user } = USER;
  const token = jwt({ merchantId, iat: now });
  return { token, user: { ...user, token }, errorResponse: { errorMessage: null, statusCode: 0 } };
}

export function initiation(walletName: string, reference: string, number: number, now: number) {
  const id = `${(0xa1b2c3d4e5f60000 + number * 7919).toString(16).toUpperCase().padStart(32, '9F').slice(0, 32)}.node-3`;
  const byWallet: Record<string, Record<string, unknown>> = {
    WALLET_QR: {
      status: '00',
      paymentTokenExpiry: localInstant(now + 15 * 60_000),
      paymentTokenDescription: 'Request successful',
      paymentToken: jwt({ reference, number }),
      paymentResponseMessage: 'Approved or completed successfully',
      paymentProcessedDateTime: localInstant(now).slice(0, 23).replace('T', ' '),
      paymentCode: String(600_000_000 + number * 1237),
      paymentQrCode: PICTURE,
    },
    WALLET_MOBILE: {
      status: 'Processing',
      paymentTokenExpiry: '',
      paymentTokenDescription: 'Your payment is being processed. Please enter your PIN on the next prompt.',
      paymentToken: '',
      paymentId: reference,
      paymentRedirectUrl: '',
    },
  };
  const card = {
    status: 'Success',
    paymentTokenDescription: 'successfully created checkout',
    paymentId: id,
    paymentRedirectUrl: `https://checkout.provider.test/pay/checkout?paymentCode=${id}`,
  };
  return sortMembers({ ...NOTHING, ...(byWallet[walletName] ?? card) });
}

function sortMembers(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(MEMBERS.map((name) => [name, members[name]]));
}

/** A time in UTC+2, as in the samples of the interface. */
export function localInstant(at: number): string {
  return new Date(at + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
}

export function notificationOf({
  status,
  description,
  paymentCurrency,
  amount,
  payerReference,
  walletName,
  changedAt,
}: Order) {
  const cents = Math.round(Number(amount) * 100);
  // Two charges of 2 % each, and a fixed one of 2 dollars.
  const charges = Math.round(cents * 0.02) * 2 + 200;
  return {
    status,
    description,
    paymentCurrency,
    paymentAmount: cents / 100,
    paymentCharges: charges / 100,
    paymentReference: payerReference,
    paymentMethod: walletName,
    paymentDate: new Date(changedAt).toISOString().replace('Z', '+00:00'),
  };
}

const STAMPS = { createdAt: '2021-05-04T08:00:00.000Z', updatedAt: '2021-05-04T08:00:00.000Z' };

export const INTERVALS = [
  ['Monthly', 30],
  ['Daily', 1],
  ['Weekly', 5],
  ['Quartely', 91],
  ['Annually', 365],
].map(([paymentIntervalName, paymentIntervalDuration], index) => ({
  id: index + 1,
  paymentIntervalName,
  paymentIntervalDuration,
  ...STAMPS,
}));

export const CURRENCIES = [{ id: 1, currencyName: 'US Dollar', currencyCode: 'USD', currencySymbol: '$', ...STAMPS }];

export const FEES = {
  id: 2,
  feesMerchantId: 'DEFAULT',
  feesPaymentMethod: 2,
  feesMarkUp: 2,
  feesServiceProviderFee: 2,
  feesGatewayFee: 2,
  feesMinAmount: 0.01,
  feesMaxAmount: 1_000_000,
  feesStartDate: '1970-01-01T02:00:00.000+02:00',
  feesEndDate: '9999-12-31T23:59:59.999+02:00',
  feesCurrencyId: 1,
  feesUserId: 'DEFAULT',
  feesStatus: true,
  feeTotalToBePaid: 12.4,
};

export function paymentLink(number: number, now: number) {
  const token = Buffer.from(`link ${number} of the provider`).toString('base64url').slice(0, 32);
  const imageUrl = `https://checkout.provider.test/pay/images/picture-${number}`;
  return {
    status: 'Success',
    paymentLink: {
      paymentProfileName: 'Market stall',
      paymentProfileDescription: 'Fruit',
      paymentLinkReference: 'LINK-1',
      paymentLinkUrl: `https://checkout.provider.test/pay/link/${token}-${number}`,
      paymentLinkAmount: 25,
      paymentLinkType: 'OPEN_FIXED_AMOUNT',
      paymentLinkToken: `${token}-${number}`,
      paymentLinkImageUrl: imageUrl,
      paymentLinkStartDate: '2026-01-01T00:00:00.000+02:00',
      paymentLinkEndDate: '2030-12-31T00:00:00.000+02:00',
      paymentLinkIsActive: true,
      createdAt: new Date(now).toISOString(),
      id: number,
    },
    message: `Payment link created successfully. Image URL: ${imageUrl}`,
  };
}
