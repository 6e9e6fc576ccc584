import type { SandboxClient } from '../../client/client.ts';
import type { Tool, ToolCallContext } from './tools.ts';

/** What a tool takes: a text. */
export const text = (description: string) => ({ type: 'string', description });

/** A tool that takes texts alone, and does what a command does. */
export interface TextTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  properties: Record<string, { type: string; description: string }>;
  required: readonly string[];
  isRead: boolean;
  /** Whether it can overwrite a file or run a command that it is given. */
  isDestructive: boolean;
  /** Whether it calls programs outside of the sandbox. */
  isOpen: boolean;
  run(
    client: SandboxClient,
    given: Readonly<Record<string, string>>,
    watch: ToolCallContext | undefined,
  ): Promise<{ data: unknown }>;
}

export function toolsFrom(rows: readonly TextTool[], client: SandboxClient): Tool[] {
  return rows.map(({ properties, required, isRead, isDestructive, isOpen, run, ...facts }) => ({
    ...facts,
    inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false },
    annotations: { readOnlyHint: isRead, destructiveHint: isDestructive, openWorldHint: isOpen },
    async call(given, watch) {
      const texts = checked(facts.name, given, Object.keys(properties), required);
      const { data } = await run(client, texts, watch);
      return JSON.stringify(data);
    },
  }));
}

/** Throws where something is missing, unknown or no text. */
function checked(
  name: string,
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  required: readonly string[],
): Record<string, string> {
  const entries = Object.entries(given);
  const wrong = entries.filter(([member, value]) => !known.includes(member) || typeof value !== 'string');
  const missing = required.filter((member) => given[member] === undefined);
  if (wrong.length > 0 || missing.length > 0) {
    const words = missing.length > 0 ? `needs ${missing.join(', ')}` : `takes strings for ${known.join(', ')}`;
    throw new Error(`${name} ${words}`);
  }
  return Object.fromEntries(entries.map(([member, value]) => [member, String(value)]));
}
