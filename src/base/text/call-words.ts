import type { RequestView } from '../schema/generated/control.ts';
import { plural } from './plural.ts';

/** `fault`: the applied one, as in the request log. */
type Call = Pick<RequestView, 'method' | 'path' | 'operation' | 'reference' | 'answer' | 'fault'> & {
  findings: readonly unknown[];
};

const EFFECTS: Readonly<Record<string, string>> = {
  reset: 'the connection is reset',
  timeout: 'no answer arrives',
  'empty-body': 'the answer is empty',
  'malformed-body': 'the answer is malformed',
  latency: 'the answer is slow',
};

/** A call and its outcome: `POST /pay for ORDER-1: answered 200`; for a status query also the status: `answered 200, Paid`. */
export function callInWords({ method, path, operation, reference, answer, fault, findings }: Call): string {
  const isQuery = operation === 'getPaymentStatus' && fault === null;
  const status = isQuery ? /^\{"status":"([^"]*)"/.exec(answer?.body ?? '')?.[1] : undefined;
  const end = fault === null ? answerInWords(answer?.status ?? null) : faultInWords(fault);
  const findingWords = findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`;
  return `${method} ${path}${reference === null ? '' : ` for ${reference}`}: ${end}${status === undefined ? '' : `, ${status}`}${findingWords}`;
}

export function answerInWords(status: number | null): string {
  return status === null ? 'no answer' : `answered ${status}`;
}

/** Whether a fault replaces the answer instead of delaying it. `fault`: its kind, or its text in the request log. */
export function replacesAnswer(fault: string): boolean {
  return !fault.startsWith('latency');
}

function faultInWords(fault: string): string {
  const [kind = '', status] = fault.split(' ');
  const effect = kind === 'status' ? `answered ${status}` : (EFFECTS[kind] ?? fault);
  const isProcessed = !replacesAnswer(fault) || fault.includes(' after the call');
  return `${isProcessed ? 'processed, but' : 'not processed, and'} ${effect}`;
}
