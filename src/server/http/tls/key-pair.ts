import type { Instant } from '../../../base/time.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  certificate: string;
  key: string;
}

/** From when to when a certificate is valid. */
export interface Period {
  from: Instant;
  until: Instant;
}
