import { ownMember } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import type { FileFinding } from '../config/check-fixtures.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { checkTemplate } from '../config/template.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { pathsOf } from './routes.ts';

/** Findings in fixtures/operations.json that the schema cannot express, because they depend on the operations table. */
export function checkOperations(fixtures: Pick<Fixtures, 'operations'>): FileFinding[] {
  const routes = OPERATIONS.flatMap((operation) =>
    pathsOf(operation, fixtures).map(({ path }) => ({ operation, path: pathKey(path) })),
  );
  return OPERATIONS.flatMap((operation) => {
    const { aliases = [], messages = {} } = fixtures.operations.operations[operation.name] ?? {};
    return [...checkAliases(operation, aliases, routes), ...checkMessages(operation, messages)];
  });
}

/** Findings about aliases whose path is already served, or does not have exactly the parameter of their operation. */
function checkAliases(
  operation: Operation,
  aliases: readonly { path: string }[],
  routes: readonly { operation: Operation; path: string }[],
): FileFinding[] {
  const parameter = /\{\w+\}/.exec(operation.paths[0]?.path ?? '')?.[0];
  return aliases.flatMap(({ path }, index): FileFinding[] => {
    const jsonPath = `$.operations.${operation.name}.aliases[${index}].path`;
    const finding = (expected: string, received: string) => toFileFinding(errorFinding(jsonPath, expected, received));
    if (/\{.*\}/.exec(path)?.[0] !== parameter) {
      return [finding(parameter ? `a path with one ${parameter}` : 'a path without braces', path)];
    }
    const owners = routes.filter((each) => each.operation.method === operation.method && each.path === pathKey(path));
    // One of the owners is this alias itself. If a second one is of the same operation, the alias repeats a path of that operation.
    const other = owners.find((each) => each.operation !== operation) ?? owners[1];
    return other ? [finding('a separate path', `${path}, which is a path of ${other.operation.name} already`)] : [];
  });
}

/** Findings about messages that the operation does not send, and about variables that it does not fill in. */
function checkMessages(
  { name: operation, messages: known = {} }: Operation,
  messages: Readonly<Record<string, string>>,
): FileFinding[] {
  return Object.entries(messages).flatMap(([name, template]) => {
    const variables = ownMember(known, name);
    const jsonPath = memberPath(`$.operations.${operation}.messages`, name);
    const expected = Object.keys(known).join(' or ') || 'no message';
    const findings = variables
      ? checkTemplate(template, jsonPath, variables)
      : [errorFinding(jsonPath, expected, 'a message that nothing sends')];
    return findings.map(toFileFinding);
  });
}

function toFileFinding(finding: Finding): FileFinding {
  return { fixture: 'operations', ...finding };
}

/** Paths that differ only in the name of a parameter are the same. */
function pathKey(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}
