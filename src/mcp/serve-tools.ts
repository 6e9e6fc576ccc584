import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Tool } from './tools.ts';

/** Where a client finds out what it can do here. */
const INSTRUCTIONS =
  'A sandbox of a merchant payments service. list_requests shows what an integration sent and every finding in it, ' +
  'list_payments what became of it, list_jobs what is still to come. Times are on the clock of the session.';

/**
 * Serves tools by the Model Context Protocol on standard input and output; resolves when the client has gone. The library's
 * plain server takes JSON Schemas as they are and leaves checking to whoever has the tool.
 */
export async function serveTools(
  version: string,
  tools: readonly Tool[],
  why: (error: Error) => string,
): Promise<void> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const served = serveStdio(() => {
    const server = new Server(
      { name: 'merchant-sandbox', version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: tools.map(({ call: _, ...tool }) => tool) }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const { name, arguments: given = {} } = params;
      const tool = byName.get(name);
      if (!tool) {
        return told(`there is no tool ${name}; there are ${[...byName.keys()].join(', ')}`, true);
      }
      return tool.call(given).then(
        (answer) => told(answer, false),
        (error: unknown) => told(error instanceof Error ? why(error) : String(error), true),
      );
    });
    return server;
  });
  await new Promise((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  await served.close();
}

/** What a tool says; a failure is for the agent to read, not for the protocol. */
function told(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}
