import type { Instant } from '../time.ts';

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
