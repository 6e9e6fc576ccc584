import type { FileFinding } from '../config/check-fixtures.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { OPERATIONS } from './operations.ts';
import { pathsOf } from './routes.ts';

/** Aliases with a path that is already served, or without the id that their operation needs. */
export function checkAliases(fixtures: Pick<Fixtures, 'operations'>): FileFinding[] {
  const served = OPERATIONS.flatMap((operation) =>
    pathsOf(operation, fixtures).map(({ path }) => ({ operation, path: pathKey(path) })),
  );
  return OPERATIONS.flatMap((operation) => {
    const { aliases = [] } = fixtures.operations.operations[operation.name] ?? {};
    const parameter = /\{\w+\}/.exec(operation.paths[0]?.path ?? '')?.[0];
    return aliases.flatMap(({ path }, index): FileFinding[] => {
      const finding = (expected: string, received: string): FileFinding => ({
        fixture: 'operations',
        path: `$.operations.${operation.name}.aliases[${index}].path`,
        expected,
        received,
        severity: 'error',
      });
      if ((/\{.*\}/.exec(path)?.[0] ?? undefined) !== parameter) {
        return [finding(parameter ? `a path with one ${parameter}` : 'a path without braces', path)];
      }
      const owners = served.filter((each) => each.operation.method === operation.method && each.path === pathKey(path));
      const other = owners.find((each) => each.operation !== operation) ?? owners[1];
      return other ? [finding('a separate path', `${path}, which is a path of ${other.operation.name} already`)] : [];
    });
  });
}

/** Paths that differ only in the name of a parameter are the same. */
function pathKey(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}
