import { estimateBytes } from '../../base/estimate-bytes.ts';
import type { LoggedCall, LoggedRequest } from '../sessions/request-log.ts';

/** The entry of the request log for a call that was read from a bundle. */
export function toLoggedCall(entry: LoggedRequest): LoggedCall {
  const { id, at, milliseconds, method, path, operation, environment, merchantId, reference, outcome } = entry;
  const { answer, reason, fault, findings, records, lastEvent } = entry;
  const status = answer?.status ?? null;
  const call = { id, at, milliseconds, method, operation, environment, merchantId, path, reference, outcome, status };
  const facts = { id, operation, environment, fault, lastEvent, status };
  return {
    ...facts,
    hasProblem: reason !== null || findings.length > 0,
    bytes: estimateBytes(entry),
    isAbout: ({ key, merchantId: ownerId, names: references }) =>
      records.some(({ collection, id: changed }) => `${collection} ${changed}` === key) ||
      (reference !== null && (merchantId ?? ownerId) === ownerId && references.includes(reference)),
    describe: () => entry,
    summarize: () => ({ ...call, findings: findings.length }),
  };
}
