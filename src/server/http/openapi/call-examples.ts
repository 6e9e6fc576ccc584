import { isDeepStrictEqual } from 'node:util';
import { BUILT_ASSETS, readPackedJson } from '../../../base/package.ts';

/** A request with its answer. Tests check that the sandbox answers like this. */
export interface CallExample {
  /** Its file's name. */
  name: string;
  title: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  request?: unknown;
  status: number;
  answer?: unknown;
}

export interface OperationExample extends CallExample {
  parameters: Readonly<Record<string, string>>;
}

let examples: readonly CallExample[] | undefined;

/** All examples; those of one file are adjacent and in order. */
export function allExamples(): readonly CallExample[] {
  examples ??= readPackedJson<CallExample[]>(`${BUILT_ASSETS}examples.json.gz`);
  return examples;
}

/** The successful examples of an operation, at any of its paths; only the first of each file, and of equal requests. */
export function examplesFor(method: string, paths: readonly string[]): OperationExample[] {
  const patterns = paths.map(patternOf);
  const matches = allExamples()
    .filter((example) => example.status < 300 && example.method === method)
    .flatMap((example) => {
      const match = patterns.map((pattern) => pattern.exec(example.path)).find((each) => each !== null);
      return match ? [{ ...example, parameters: { ...match.groups } }] : [];
    });
  return matches.filter((example, index) => !matches.slice(0, index).some((before) => isSimilar(before, example)));
}

/** `/a/{id}` → a pattern with the group `id` for one segment. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function isSimilar(a: OperationExample, b: OperationExample): boolean {
  return a.name === b.name || isDeepStrictEqual([a.request, a.query, a.parameters], [b.request, b.query, b.parameters]);
}

/** One value as `example`, several as `examples` by their names. */
export function exampleMembers(values: readonly { name: string; title: string; value: unknown }[]): object {
  const [first] = values;
  if (first === undefined) {
    return {};
  }
  return values.length === 1
    ? { example: first.value }
    : { examples: Object.fromEntries(values.map(({ name, title, value }) => [name, { summary: title, value }])) };
}
