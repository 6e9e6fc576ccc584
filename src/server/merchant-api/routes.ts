import { editDistance, isTypo } from '../../base/text/nearest.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Route } from '../http/entry-point.ts';
import type { ApiEnvironment, Operation, OperationPath } from './operation.ts';
import { OPERATIONS } from './operations.ts';

export interface MerchantRoute extends Route {
  operation: Operation;
  environment: ApiEnvironment;
}

/** A parameter at the end of a path; `Request` is inserted before it. */
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

/** The operations table, path by path. Aliases are checked when fixtures are loaded: see check-operations.ts. */
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

/**
 * The route that a misspelled path most likely means; undefined if it resembles none, or several operations equally. The
 * last segment, the operation's own name, decides, because the segments before it are similar in all paths,
 * except `sandbox`, which does not occur in production paths.
 */
export function nearestRoute(
  routes: readonly MerchantRoute[],
  method: string,
  path: string,
): MerchantRoute | undefined {
  const segments = segmentsOf(path);
  const isForSandbox = namesSandbox(segments);
  const similarRoutes = routes
    .filter((route) => resembles(segments, segmentsOf(route.path)))
    .map((route) => ({
      route,
      environmentDistance: namesSandbox(segmentsOf(route.path)) === isForSandbox ? 0 : 1,
      distance: editDistance(path, route.path) + (route.method === method ? 0 : 0.5),
    }))
    .sort((one, other) => one.environmentDistance - other.environmentDistance || one.distance - other.distance);
  const [first] = similarRoutes;
  const rival = similarRoutes.find(({ route }) => route.operation !== first?.route.operation);
  const isAmbiguous = rival?.environmentDistance === first?.environmentDistance && rival?.distance === first?.distance;
  return isAmbiguous ? undefined : first?.route;
}

function namesSandbox(segments: readonly string[]): boolean {
  return segments.some((segment) => isAlike(segment, 'sandbox'));
}

/** Maximum length of a compared name, because no operation's name is longer. */
const MAX_COMPARED_LENGTH = 100;

/** Last segments that do not identify an operation, because several paths end in them. */
const COMMON_NAMES: ReadonlySet<string> = new Set(['all', 'merchant']);

/** Whether a path's last segment is that of a route, except for typos. If it is a common one, all segments are compared. */
function resembles(received: readonly string[], route: readonly string[]): boolean {
  const fixed = route.filter((segment) => !segment.startsWith('{'));
  // A path with a misspelled name may have the parameter after it, or lack it.
  const candidates = fixed.length < route.length ? [received, received.slice(0, -1)] : [received];
  const name = fixed.at(-1) ?? '';
  return candidates.some((segments) =>
    COMMON_NAMES.has(name)
      ? segments.length === fixed.length && fixed.every((segment, index) => isAlike(segments[index], segment))
      : isAlike(segments.at(-1), name),
  );
}

/**
 * Compares word by word, because getRecurringPayment is not a misspelled addRecurringPayment. Names that do not
 * have equally many words, such as those in lower case, may differ only as much as the longest word may.
 */
function isAlike(received: string | undefined, meant: string): boolean {
  if (received === undefined) {
    return false;
  }
  const [receivedWords, words] = [wordsOf(received), wordsOf(meant)];
  if (receivedWords.length === words.length) {
    return words.every((word, index) => isTypo(editDistance(receivedWords[index] ?? '', word), word));
  }
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
  return isTypo(editDistance(received, meant), longest);
}

function wordsOf(name: string): string[] {
  return name.slice(0, MAX_COMPARED_LENGTH).split(/(?=[A-Z])/);
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
