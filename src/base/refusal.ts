import { codeOf } from './errors.ts';
import { FINDING_KINDS, type FindingKind } from './finding-kinds.ts';
import { redactSentence } from './masking/redact.ts';
import { REFUSAL_KINDS, type RefusalKind } from './refusal-kinds.ts';
import type { Finding } from './schema/generated/control.ts';

/**
 * An error or a warning about one field of a request or a file. An error causes a refusal; a warning is only reported in the request log
 * and a header of the answer. `received` must not contain a secret, because logs keep it. Source: ours (reference, section 8).
 */
export type { Finding };

/** Maximum number of listed findings; the others are only counted. */
const MAX_FINDINGS = 100;

/**
 * The first findings, and the number of the others, because an answer must not be much longer than the request. If some are omitted,
 * errors come before warnings. `total` is the number of findings before a caller omitted some.
 */
export function capFindings(findings: readonly Finding[], total = findings.length): readonly Finding[] {
  if (total <= MAX_FINDINGS) {
    return findings;
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const listed = [...errors, ...findings.filter(({ severity }) => severity === 'warning')].slice(0, MAX_FINDINGS);
  const more = `${(total - listed.length).toLocaleString('en')} more findings`;
  const rest = errorFinding('$', 'no more than these', more);
  return [...listed, errors.length > 0 ? rest : warningOf('more-findings', rest)];
}

/** The kind of a refusal and its id, for the log and headers. */
export function refusalLabel({ kind }: Refusal): string {
  return `refused: ${kind} (${REFUSAL_KINDS[kind].id})`;
}

/** A finding because of which the request or the file is refused. */
export function errorFinding(path: string, expected: string, received: string): Finding {
  return { path, expected, received, severity: 'error' };
}

/** A warning of a kind, with the path and the values of a finding. */
export function warningOf(
  kind: FindingKind,
  { path, expected, received }: Pick<Finding, 'path' | 'expected' | 'received'>,
): Finding {
  return { path, expected, received, severity: 'warning', id: FINDING_KINDS[kind].id };
}

/**
 * An error that is sent to the client as an answer. Any layer below an entry point may throw it; the entry point catches it. The
 * message is for the developer of the client: what was attempted, what was received, what to send instead.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly findings: readonly Finding[];
  /** Headers that the answer must have, such as `Allow` on a 405. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further facts for the control API's problem details. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: RefusalKind,
    message: string,
    more: { findings?: readonly Finding[]; headers?: Record<string, string>; details?: Record<string, unknown> } = {},
  ) {
    // The message may quote input, such as an address with a token in it.
    super(redactSentence(message));
    this.name = 'Refusal';
    this.kind = kind;
    this.findings = more.findings ?? [];
    this.headers = more.headers ?? {};
    this.details = more.details ?? {};
  }
}

/**
 * The refusal of a call if it is unknown whether its changes were stored, completely or in part. It has no Retry-After, because
 * an automatic repetition might be carried out twice.
 */
export class OutcomeUnknown extends Refusal {
  /** The refusal of concurrent calls that changed nothing themselves. */
  readonly refusalForOthers: Refusal;

  constructor(why: string, refusalForOthers: Refusal) {
    super(
      'outcome-unknown',
      `it is not known whether this call took effect (${why}); check before you repeat it: ` +
        "query the payment's status by its reference, or GET /_sandbox/payments/{reference}",
    );
    this.name = 'OutcomeUnknown';
    this.refusalForOthers = refusalForOthers;
  }
}

export function isRefusedAs(error: unknown, ...kinds: readonly RefusalKind[]): error is Refusal {
  return error instanceof Refusal && kinds.includes(error.kind);
}

/** The system's error codes when a process, or the machine, cannot open more files and connections. */
const NO_DESCRIPTORS: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** The refusal of a call that failed unexpectedly. The cause is logged, unless the system has run out of files and connections. */
export function refusalForFailure(error: unknown, onError: (error: unknown) => void): Refusal {
  const code = codeOf(error);
  if (NO_DESCRIPTORS.has(code)) {
    return new Refusal(
      'overloaded',
      `the operating system does not let the sandbox open more files or connections (${code}): close connections, or raise the limit (ulimit -n)`,
      { headers: { 'Retry-After': '1' } },
    );
  }
  onError(error);
  return new Refusal('internal-error', 'the sandbox failed; its log says why');
}

export function findingsRefusal(findings: readonly Finding[]): Refusal {
  return new Refusal('invalid-field', describeFindings(findings), { findings });
}

/** Findings as one sentence, with secrets masked. */
export function describeFindings(findings: readonly Finding[]): string {
  return redactSentence(findings.map(describeFinding).join('; '));
}

/** A finding in words; a warning with its id before it. */
export function describeFinding({ id, path, expected, received }: Finding): string {
  return `${id === undefined ? '' : `${id} `}${path}: expected ${expected}, received ${received}`;
}
