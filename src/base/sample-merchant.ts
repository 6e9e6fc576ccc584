/** The merchant in an examination, which is in the fixtures. */
export const MERCHANT = {
  MERCHANT_ID: 'M-1000',
  MERCHANT_API_KEY: 'test-api-key-1000',
  MERCHANT_KEY: 'test-merchant-key-1000',
} as const;

/** The default secret of the examination's endpoint. */
export const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgZXhhbWluYXRpb24=';
