import { estimateBytes } from '../../../src/base/estimate-bytes.ts';
import type { LoggedCall, LoggedRequest } from '../../../src/server/sessions/request-log.ts';

/** A completed call; `onDescribe` is called with its id each time the call is described. */
export function loggedCall(
  members: Partial<LoggedRequest> & Pick<LoggedRequest, 'id'>,
  onDescribe: (id: string) => void = () => undefined,
): LoggedCall {
  const entry = { body: undefined, answer: null, ...members } as LoggedRequest;
  return {
    id: entry.id,
    operation: null,
    environment: null,
    fault: null,
    lastEvent: entry.lastEvent,
    status: null,
    hasProblem: false,
    bytes: estimateBytes(entry),
    isAbout: () => false,
    describe: () => {
      onDescribe(entry.id);
      return entry;
    },
    summarize: () => ({ ...entry, status: null, findings: 0 }),
  };
}
