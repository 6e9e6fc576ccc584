import type { SchemaObject } from 'ajv/dist/2020.js';
import { errorFinding, findingsRefusal, Refusal } from '../../base/refusal.ts';
import { runInTurns } from '../../base/run-in-turns.ts';
import { isDeeperInSteps } from '../../base/schema/depth.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import { validate } from '../../base/schema/validation.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import type { ControlOperation } from './control-operation.ts';
import type { ItemPage } from './lists.ts';

/** Maximum nesting of a body: more than a whole state has, and not too deep for recursion. */
const MAX_DEPTH = 100;

/** The query in the types of its schema; choices are matched regardless of case. Refuses undeclared parameters. */
export async function checkQuery(
  { method, path, query: schema }: ControlOperation,
  parameters: Readonly<Record<string, string>>,
): Promise<object> {
  const members = schema === undefined ? {} : schemaMembers(schema);
  const names = Object.keys(members);
  const unknownNames = Object.keys(parameters).filter((each) => !Object.hasOwn(members, each));
  if (unknownNames.length > 0) {
    const list = unknownNames.map((each) => `${JSON.stringify(each)}${didYouMean(each, names)}`).join('; nor ');
    throw new Refusal(
      'invalid-field',
      `${method} ${path} does not take ${list}; it takes ${schema === undefined ? 'no query' : names.join(', ')}`,
    );
  }
  const query = Object.fromEntries(
    Object.entries(parameters).map(([each, text]) => [each, readAs(text, members[each] ?? {})]),
  );
  await refuseMismatch(schema, query);
  return query;
}

function readAs(text: string, { type, enum: choices }: SchemaObject): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) {
    return Number(text);
  }
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true';
  }
  const isSameWord = (word: unknown) => typeof word === 'string' && word.toLowerCase() === text.toLowerCase();
  return (choices as unknown[] | undefined)?.find(isSameWord) ?? text;
}

export async function checkBody({ request: schema }: ControlOperation, body: unknown): Promise<unknown> {
  if (schema === undefined) {
    return undefined;
  }
  if (body === undefined) {
    throw new Refusal('wrong-media-type', 'send a JSON body with Content-Type: application/json');
  }
  if (await runInTurns(isDeeperInSteps(MAX_DEPTH, body))) {
    throw new Refusal('malformed-body', `the body is nested more than ${MAX_DEPTH} levels deep`);
  }
  await refuseMismatch(schema, body);
  return body;
}

/** A failure is a mistake in the code, not in a request. */
export async function checkAnswer({ name, response }: ControlOperation, answer: unknown): Promise<void> {
  const schema = response?.schema;
  if (typeof schema !== 'string') {
    throw new Error(`${name} answers with JSON, but its row has no response schema`);
  }
  for (const item of response?.isList ? (answer as ItemPage<unknown>).items : [answer]) {
    const findings = await validate(schema, item);
    if (findings.length > 0) {
      throw new Error(`the answer of ${name} does not fit ${schema}: ${findingsRefusal(findings).message}`);
    }
  }
}

/** Refuses unknown members, too, because otherwise a misspelled filter would be ignored. */
async function refuseMismatch(schema: string | undefined, value: unknown): Promise<void> {
  const findings = schema === undefined ? [] : await validate(schema, value);
  if (findings.length > 0) {
    throw findingsRefusal(findings.map(({ path, expected, received }) => errorFinding(path, expected, received)));
  }
}
