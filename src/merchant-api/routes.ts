import type { Fixtures } from '../config/fixtures.ts';
import type { Route } from '../http/entry-point.ts';
import type { Environment, Operation, OperationPath } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** One path of an operation. */
export interface MerchantRoute extends Route {
  operation: Operation;
  environment: Environment;
}

/** Where a path ends in a parameter: `Request` then goes before it. */
const LAST_PARAMETER = /(\/\{\w+\})$/;

/** Every path of an operation, those of the table and the user's aliases, each also with `Request` on its last fixed segment. */
export function pathsOf(operation: Operation, fixtures: Pick<Fixtures, 'operations'>): OperationPath[] {
  const aliases = fixtures.operations.operations[operation.name]?.aliases ?? [];
  const paths = [...operation.paths, ...aliases.map((alias) => ({ ...alias, provenance: 'ours' as const }))];
  const spellings = paths.flatMap((path) => [path, { ...path, path: withRequest(path.path) }]);
  // An alias may name both spellings itself.
  return [...new Map(spellings.map((each) => [`${each.environment} ${each.path}`, each])).values()];
}

/** `/a/wallet` → `/a/walletRequest`, `/a/cancel/{id}` → `/a/cancelRequest/{id}`. Source: reference, section 1. */
function withRequest(path: string): string {
  return LAST_PARAMETER.test(path) ? path.replace(LAST_PARAMETER, 'Request$1') : `${path}Request`;
}

/** The operations table, path by path. What aliases may be is checked when fixtures are loaded: see check-aliases.ts. */
export function routesOf(fixtures: Fixtures): MerchantRoute[] {
  return OPERATIONS.flatMap((operation) =>
    pathsOf(operation, fixtures).map(({ environment, path }) => ({
      method: operation.method,
      path,
      operation,
      environment,
    })),
  );
}

/** The route that a misspelled path most likely means. */
export function nearestRoute(routes: readonly MerchantRoute[], method: string, path: string): MerchantRoute {
  const [first, ...others] = routes.map((route) => ({
    route,
    distance: editDistance(path.toLowerCase(), route.path.toLowerCase()) + (route.method === method ? 0 : 0.5),
  }));
  if (!first) {
    throw new Error('the operations table is empty');
  }
  return others.reduce((best, each) => (each.distance < best.distance ? each : best), first).route;
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
