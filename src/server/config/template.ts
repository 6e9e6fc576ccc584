import { createRequire } from 'node:module';
import { messageOf } from '../../base/errors.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';

type Variables = Readonly<Record<string, unknown>>;
type CompiledTemplate = (variables: Variables) => string;

const require = createRequire(import.meta.url);
const compiledTemplates = new Map<string, CompiledTemplate>();
const MAX_COMPILED_TEMPLATES = 1000;

/** Maximum placeholders and characters of a string, because an answer must not grow without bounds. */
const MAX_PLACEHOLDERS = 20;
const MAX_CHARACTERS = 10_000;

/** A string that is a single placeholder: it is replaced by the variable itself, which may be a number or null. */
const SINGLE_PLACEHOLDER = /^\{\{([A-Za-z]+)\}\}$/;

/**
 * Fills a JSON template. A string that is only `{{name}}` becomes the variable's value; in other strings, each placeholder is replaced.
 * Everything else is unchanged. Throws if a template names an unknown variable.
 */
export function fillTemplate(template: unknown, variables: Variables): unknown {
  if (typeof template === 'string') {
    return template.includes('{{') ? fillText(template, variables) : template;
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, variables));
  }
  if (typeof template === 'object' && template !== null) {
    // Copied first, because assigning to a new member `__proto__` would change the prototype.
    const result: Record<string, unknown> = { ...template };
    for (const key of Object.keys(result)) {
      result[key] = fillTemplate(result[key], variables);
    }
    return result;
  }
  return template;
}

const variablesByTemplate = new WeakMap<object, readonly string[]>();
const PLACEHOLDER = /\{\{+\s*([A-Za-z]+)/g;

/** The names of the variables in a template, each once. Cached by template. */
export function variablesIn(template: object): readonly string[] {
  let variables = variablesByTemplate.get(template);
  if (!variables) {
    variables = [...new Set([...JSON.stringify(template).matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
    variablesByTemplate.set(template, variables);
  }
  return variables;
}

function fillText(text: string, variables: Variables): unknown {
  const name = SINGLE_PLACEHOLDER.exec(text)?.[1];
  if (name === undefined) {
    return compile(text)(variables);
  }
  if (!Object.hasOwn(variables, name)) {
    throw new Error(
      `the template ${text} has an unknown variable; known ones are ${Object.keys(variables).join(', ')}`,
    );
  }
  return variables[name];
}

/** Findings about strings of a template that are too large, or that fillTemplate cannot fill with these variables. */
export function checkTemplate(template: unknown, path: string, variables: readonly string[]): Finding[] {
  if (typeof template === 'string') {
    return template.includes('{{') ? checkText(template, path, variables) : [];
  }
  if (typeof template !== 'object' || template === null) {
    return [];
  }
  return Object.entries(template).flatMap(([key, value]) =>
    checkTemplate(value, memberPath(path, Array.isArray(template) ? Number(key) : key), variables),
  );
}

function checkText(text: string, path: string, variables: readonly string[]): Finding[] {
  const finding = (expected: string, received: string) => errorFinding(path, expected, received);
  const allowed = variables.length > 0 ? variables.map((name) => `{{${name}}}`).join(', ') : 'no placeholder';
  if (text.length > MAX_CHARACTERS) {
    return [finding(`at most ${MAX_CHARACTERS} characters`, String(text.length))];
  }
  let body: hbs.AST.Statement[];
  try {
    body = loadHandlebars().parse(text).body;
  } catch (error) {
    const [problem = ''] = messageOf(error).split('\n');
    return [finding(`a template with ${allowed}`, `${JSON.stringify(text)}, which does not parse (${problem})`)];
  }
  const placeholders = body.filter(({ type }) => type !== 'ContentStatement').length;
  if (placeholders > MAX_PLACEHOLDERS) {
    return [finding(`at most ${MAX_PLACEHOLDERS} placeholders`, String(placeholders))];
  }
  return body.flatMap((statement) => {
    if (statement.type === 'ContentStatement') {
      return [];
    }
    const name = nameIn(statement);
    const isKnown = name !== undefined && variables.includes(name);
    return isKnown ? [] : [finding(allowed, name === undefined ? JSON.stringify(text) : `{{${name}}}`)];
  });
}

/** The name of a plain placeholder; undefined for blocks, partials and helpers, which are not supported. */
function nameIn(statement: hbs.AST.Statement): string | undefined {
  const { type, params, hash, path } = statement as hbs.AST.MustacheStatement;
  const isPlain = type === 'MustacheStatement' && params.length === 0 && !hash && 'original' in path;
  return isPlain ? String(path.original) : undefined;
}

/** Compiled on first use, because most templates are never used, and the library takes a while to load. */
function compile(text: string): CompiledTemplate {
  let fill = compiledTemplates.get(text);
  if (!fill) {
    fill = loadHandlebars().compile(text, { strict: true, noEscape: true, knownHelpersOnly: true });
    if (compiledTemplates.size >= MAX_COMPILED_TEMPLATES) {
      compiledTemplates.clear();
    }
    compiledTemplates.set(text, fill);
  }
  return fill;
}

function loadHandlebars(): typeof import('handlebars') {
  return require('handlebars');
}
