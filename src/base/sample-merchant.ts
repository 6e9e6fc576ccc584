/** The merchant of the fixtures that examinations and the demo use, as environment variables of a shop. */
export const MERCHANT = {
  MERCHANT_ID: 'M-1000',
  MERCHANT_API_KEY: 'test-api-key-1000',
  MERCHANT_KEY: 'test-merchant-key-1000',
} as const;

/** The default secret that signs notifications in an examination. */
export const EXAMINATION_SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgZXhhbWluYXRpb24=';
