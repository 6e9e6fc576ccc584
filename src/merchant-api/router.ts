import type { Fixtures } from '../config/fixtures.ts';
import type { Environment, Operation, OperationPath } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** Where a path leads. */
export interface Route {
  operation: Operation;
  environment: Environment;
  path: string;
}

/** What a request's method and path lead to. */
export type Match =
  | { kind: 'route'; route: Route; parameters: Readonly<Record<string, string>> }
  | { kind: 'wrong-method'; allow: readonly string[]; routes: readonly Route[] }
  | { kind: 'unknown'; nearest: Route };

/** Cancelling takes its id in the path: `{id}` is any one segment. */
const PARAMETER = /\{(\w+)\}$/;

/** Every path of an operation: as the table has it, with `Request` on its last fixed segment, and the user's aliases. */
export function pathsOf(operation: Operation, fixtures: Pick<Fixtures, 'operations'>): OperationPath[] {
  const aliases = fixtures.operations.operations[operation.name]?.aliases ?? [];
  return [
    ...operation.paths.flatMap((path) => [path, { ...path, path: withRequest(path.path) }]),
    ...aliases.map((alias) => ({ ...alias, provenance: 'ours' as const })),
  ];
}

/** `/a/wallet` → `/a/walletRequest`, `/a/cancel/{id}` → `/a/cancelRequest/{id}`. Source: reference, section 1. */
function withRequest(path: string): string {
  return PARAMETER.test(path) ? path.replace(/(\/\{\w+\})$/, 'Request$1') : `${path}Request`;
}

/** The operations table as one lookup. Made anew when the fixtures' aliases change. */
export class Router {
  readonly #exact = new Map<string, Route[]>();
  readonly #parameterised: Route[] = [];

  /** The fixtures' aliases are checked when they are loaded: see check-aliases.ts. */
  constructor(fixtures: Fixtures) {
    for (const operation of OPERATIONS) {
      for (const { environment, path } of pathsOf(operation, fixtures)) {
        this.#add({ operation, environment, path });
      }
    }
  }

  get routes(): Route[] {
    return [...this.#exact.values()].flat().concat(this.#parameterised);
  }

  match(method: string, path: string): Match {
    const exact = this.#exact.get(path);
    if (exact) {
      return this.#choose(exact, method, {});
    }
    for (const route of this.#parameterised) {
      const parameters = parametersIn(route.path, path);
      if (parameters) {
        return this.#choose([route], method, parameters);
      }
    }
    return { kind: 'unknown', nearest: this.#nearest(method, path) };
  }

  #choose(routes: readonly Route[], method: string, parameters: Record<string, string>): Match {
    const route = routes.find(({ operation }) => operation.method === method);
    return route
      ? { kind: 'route', route, parameters }
      : { kind: 'wrong-method', allow: routes.map(({ operation }) => operation.method), routes };
  }

  #add(route: Route): void {
    if (PARAMETER.test(route.path)) {
      this.#parameterised.push(route);
      return;
    }
    const there = this.#exact.get(route.path) ?? [];
    this.#exact.set(route.path, [...there, route]);
  }

  #nearest(method: string, path: string): Route {
    const distances = this.routes.map((route) => ({
      route,
      distance:
        editDistance(path.toLowerCase(), route.path.toLowerCase()) + (route.operation.method === method ? 0 : 0.5),
    }));
    const [first, ...others] = distances;
    if (!first) {
      throw new Error('the operations table is empty');
    }
    return others.reduce((best, each) => (each.distance < best.distance ? each : best), first).route;
  }
}

function parametersIn(pattern: string, path: string): Record<string, string> | undefined {
  const name = PARAMETER.exec(pattern)?.[1] ?? '';
  const start = pattern.slice(0, pattern.lastIndexOf('/') + 1);
  const rest = path.slice(start.length);
  return path.startsWith(start) && rest !== '' && !rest.includes('/') ? { [name]: decode(rest) } : undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Levenshtein distance, of paths cut to a length that keeps it cheap. */
function editDistance(a: string, b: string): number {
  const [from, to] = [a.slice(0, 100), b.slice(0, 100)];
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const change = (before[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(change, (before[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = current;
  }
  return before[to.length] ?? 0;
}
