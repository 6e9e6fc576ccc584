import { plural } from './plural.ts';

interface Call {
  method: string;
  path: string;
  reference: string | null;
  answer: { status: number } | null;
  /** The applied fault, as in the request log. */
  fault: string | null;
  findings: readonly unknown[];
}

/** Effects of faults on a call, by the kind of fault. */
const EFFECTS: Readonly<Record<string, string>> = {
  reset: 'the connection is reset',
  timeout: 'no answer arrives',
  'empty-body': 'the answer is empty',
  'malformed-body': 'the answer is malformed',
  latency: 'the answer is slow',
};

/** A call and its outcome: `POST /pay for ORDER-1: answered 200`. */
export function callInWords({ method, path, reference, answer, fault, findings }: Call): string {
  const end = fault === null ? answerInWords(answer?.status ?? null) : faultInWords(fault);
  const wrong = findings.length === 0 ? '' : `, ${plural(findings.length, 'finding')}`;
  return `${method} ${path}${reference === null ? '' : ` for ${reference}`}: ${end}${wrong}`;
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
