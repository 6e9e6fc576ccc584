import { printableLines } from '../base/text/printable.ts';
import { ControlError } from './control-error.ts';
import { joinShort, shortJson } from './short.ts';

/** The calls of the merchant API that a test expects. */
export interface Expectation {
  /** Any of method, path, operation, merchantId, environment, scenario, status, and a part of the body. */
  match: Record<string, unknown>;
  /** The exact number of calls. Default: at least one. */
  count?: number;
}

/** A call that nearly matched, with its differences. */
export interface NearRequest {
  id: string;
  method: string;
  path: string;
  differences: { path: string; expected?: unknown; received?: unknown }[];
  /** The number of differences that are not listed. */
  more?: number;
}

/** Differences of one call that the message shows; `nearest` may have more. */
const MAX_SHOWN_DIFFERENCES = 5;

/** The calls so far were not as expected. Unless too many matched, the message shows the nearest ones, each with its differences. */
export class ExpectationError extends ControlError {
  /** Ids of the calls that matched. */
  readonly ids: readonly string[];
  /** Calls that nearly matched, the nearest first. */
  readonly nearest: readonly NearRequest[];

  constructor({ status, problem, message }: ControlError, expectation: Expectation, baseUrl: string) {
    const { ids = [], nearest = [] } = problem as { ids?: string[]; nearest?: NearRequest[] };
    super(status, problem, messageOf({ summary: message, expectation, ids, nearest, baseUrl }));
    this.name = 'ExpectationError';
    this.ids = ids;
    this.nearest = nearest;
  }
}

function messageOf({
  summary,
  expectation: { match, count },
  ids,
  nearest,
  baseUrl,
}: {
  summary: string;
  expectation: Expectation;
  ids: readonly string[];
  nearest: readonly NearRequest[];
  baseUrl: string;
}): string {
  const members = Object.entries(match).map(([name, value]) => `${name} ${shortJson(value)}`);
  const hasTooMany = count !== undefined && ids.length > count;
  const lines = [
    summary,
    `  expected: ${members.length === 0 ? 'any call' : members.join(', ')}`,
    ...(ids.length > 0 ? [`  matched: ${joinShort(ids)}`] : []),
    ...(nearest.length > 0 && !hasTooMany ? ['  nearest:', ...nearest.flatMap(wordsFor)] : []),
    ...(nearest.length + ids.length === 0
      ? [`  no calls were made to ${baseUrl}; does your code use this base address?`]
      : []),
  ];
  return printableLines(lines.join('\n'));
}

function wordsFor({ id, method, path, differences, more: unlisted = 0 }: NearRequest): string[] {
  const listed = differences.slice(0, MAX_SHOWN_DIFFERENCES);
  const omitted = differences.length - listed.length + unlisted;
  return [
    `    ${id} ${method} ${path}`,
    ...listed.map(
      (each) => `      ${each.path}: expected ${shortJson(each.expected)}, received ${shortJson(each.received)}`,
    ),
    ...(omitted > 0 ? [`      and ${omitted} more`] : []),
  ];
}
