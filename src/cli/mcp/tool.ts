import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Finding } from '../../base/refusal.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import { isUnknownMember, validateBy } from '../../base/schema/validation.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { UsageError } from '../../command/command.ts';

/** Cancellation and progress of a long call. */
export interface ToolCallContext {
  /** Fires when the agent cancels the call. */
  signal: AbortSignal;
  onProgress(message: string): void;
}

export interface ObjectSchema {
  type: 'object';
  properties: Record<string, SchemaObject>;
  required: string[];
  additionalProperties: boolean;
  [keyword: string]: unknown;
}

/** A tool of the Model Context Protocol. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
  /** Resolves with the structured content. Rejects with an error that names the argument at fault, if there is one. */
  call(client: SandboxClient, given: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<object>;
}

/** A row of the table of tools. */
export interface ToolRow<Given> extends Pick<Tool, 'name' | 'title' | 'description'> {
  properties: Record<string, SchemaObject>;
  required?: readonly (keyof Given & string)[];
  output: ObjectSchema;
  /** Default: the tool only reads. `destructive`: it can overwrite a file, run a command, or call programs outside of the sandbox. */
  effect?: 'changes' | 'destructive';
  /** The argument that is reported as wrong if an error of the sandbox names none. */
  subject?: keyof Given & string;
  run(client: SandboxClient, given: Given, context: ToolCallContext): Promise<object>;
}

const SESSION = {
  type: 'string',
  minLength: 1,
  description: 'session (default: the one that the server was started with)',
};
/** Maximum length of a text in an answer: longer ones, such as images, are useless to an agent. */
const MAX_TEXT_LENGTH = 500;

/** The advice for a session that does not exist, because reading does not create one. */
export const hintForNewSession = ({ session, baseUrl }: SandboxClient) =>
  `nothing has happened in session ${session}; point the integration to ${baseUrl}, or use make_payment`;

export function createTool<Given extends object>(row: ToolRow<Given>): Tool {
  const { name, title, description, properties, required = [], output, effect, subject, run } = row;
  const inputSchema: ObjectSchema = {
    type: 'object',
    properties: { ...properties, session: SESSION },
    required: [...required],
    additionalProperties: false,
  };
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema: output,
    annotations: {
      readOnlyHint: effect === undefined,
      destructiveHint: effect === 'destructive',
      openWorldHint: effect === 'destructive',
    },
    async call(client, args, context) {
      const findings = await validateBy(inputSchema, args);
      if (findings.length > 0) {
        throw new Error(findings.map((finding) => describeArgumentFinding(finding, inputSchema)).join('\n'));
      }
      const { session, ...others } = args as Given & { session?: string };
      const target = session === undefined ? client : client.inSession(session);
      try {
        return shorten(await run(target, others as Given, context));
      } catch (error) {
        const [cause, argument] = error instanceof ArgumentError ? [error.cause, error.argument] : [error, subject];
        if (cause instanceof ControlError && cause.status === 404 && !(await sessionExists(target))) {
          throw new Error(session === undefined ? hintForNewSession(target) : `argument session: ${cause.message}`);
        }
        throw toArgumentError(cause, argument, inputSchema);
      }
    },
  };
}

/** The schema of an object, with members of a schema of the sandbox. Nested members are omitted, because an agent reads every word. */
export function membersOfSchema(name: string, ...members: readonly string[]): ObjectSchema {
  const all = schemaMembers(name);
  return objectOf(
    Object.fromEntries(
      members.map((member) => {
        const { type, description } = all[member] ?? {};
        return [
          member,
          { ...(type === undefined ? {} : { type }), ...(description === undefined ? {} : { description }) },
        ];
      }),
    ),
  );
}

/** The schema of an object that has at least these members. */
export function objectOf(properties: Record<string, SchemaObject>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: true };
}

export function arrayOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

async function sessionExists(client: SandboxClient): Promise<boolean> {
  try {
    await client.clock();
    return true;
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) {
      return false;
    }
    throw error;
  }
}

class ArgumentError extends Error {
  readonly argument: string;

  constructor(argument: string, cause: unknown) {
    super(`argument ${argument} is refused`, { cause });
    this.argument = argument;
  }
}

/** Names the argument that an error is about, in a tool with several of them. */
export function withArgument<Result>(argument: string, result: Promise<Result>): Promise<Result> {
  return result.catch((error: unknown) => {
    throw new ArgumentError(argument, error);
  });
}

function describeArgumentFinding(finding: Finding, { properties }: ObjectSchema): string {
  const argument = finding.path.replace(/^\$\.?/, '');
  return isUnknownMember(finding)
    ? `unknown argument ${argument}; the arguments are ${Object.keys(properties).join(', ')}`
    : `argument ${argument}: expected ${finding.expected}, received ${finding.received}`;
}

/** The error in the words of the tool, whose caller knows neither the sandbox's calls nor the flags of a command. */
function toArgumentError(error: unknown, subject: string | undefined, { properties }: ObjectSchema): unknown {
  const isArgument = (name: string) => Object.hasOwn(properties, name);
  if (error instanceof ControlError && error.status !== 401) {
    const { id, findings = [] } = error.problem as { id?: string; findings?: Finding[] };
    const lines = findings.map(({ path, expected, received }) => {
      const [, member = ''] = /^\$\.(\w+)/.exec(path) ?? [];
      return `argument ${isArgument(member) ? member : subject}: expected ${expected}, received ${received}`;
    });
    const message = subject === undefined ? error.message : `argument ${subject}: ${error.message}`;
    return new Error(`${lines.length === 0 ? message : lines.join('\n')}${id === undefined ? '' : ` (${id})`}`);
  }
  if (error instanceof UsageError) {
    const flag = /--([a-z]+)/g;
    return new Error(error.message.replaceAll(flag, (text, name) => (isArgument(name) ? `argument ${name}` : text)));
  }
  return error;
}

function shorten(data: object): object {
  return JSON.parse(
    JSON.stringify(data, (_name, value: unknown) =>
      typeof value === 'string' && value.length > MAX_TEXT_LENGTH
        ? `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length} characters)`
        : value,
    ),
  );
}
