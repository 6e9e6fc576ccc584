import { membersOf } from '../../base/members.ts';
import { AdapterError } from './adapter.ts';

const TLS_CODE = /CERT|SELF_SIGNED|UNABLE_TO_|_SSL_|_TLS_/;

/** Throws AdapterError if the shop could not be reached because of TLS: that is not a refusal by the shop. */
export function assertNotTlsError(error: unknown): void {
  const code = codesOf(error).find((each) => TLS_CODE.test(each));
  if (code !== undefined) {
    throw new AdapterError(`the certificate of the shop is not trusted (${code}): name its CA in NODE_EXTRA_CA_CERTS`);
  }
}

/** The codes of an error and its causes. */
export function codesOf(error: unknown): string[] {
  const { code, cause } = membersOf(error);
  return [...(code === undefined ? [] : [String(code)]), ...(cause === undefined ? [] : codesOf(cause))];
}
