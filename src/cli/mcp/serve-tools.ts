import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { endOfTurn, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { messagesOnly } from './messages.ts';
import type { Tool } from './tool.ts';

/** Tells a client what it can do here. */
const instructionsFor = (baseUrl: string) =>
  `A sandbox of a merchant payments service. Point the integration to ${baseUrl}, which creates the session. show_call shows what ` +
  'it sent last, with all findings, report what it does wrong, and get_state what is due. Times are by the clock of the session. ' +
  'To start again, pass the name of a new session.';

export interface ServeOptions {
  version: string;
  /** The session whose base address the integration needs. */
  client: SandboxClient;
  /** Resolves when the process is asked to end. */
  asked: Promise<void>;
  /** The message for a call that failed for a reason outside of its arguments. */
  why(error: Error): string;
}

/**
 * Serves tools by the Model Context Protocol on standard input and output; resolves when the client has gone, or when it is asked
 * to end. Long calls are stopped then, others are answered first. The library's plain server takes JSON Schemas as they are and
 * leaves checking to the owner of the tool.
 */
export async function serveTools(tools: readonly Tool[], { version, client, asked, why }: ServeOptions): Promise<void> {
  const end = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // The library leaves as soon as its input ends, and what was asked just before would get no answer.
  const messages = messagesOnly((error) => process.stdout.write(`${JSON.stringify(error)}\n`));
  const input = process.stdin.pipe(messages, { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  const newServer = () => {
    const server = new Server(
      { name: 'merchant-sandbox', version },
      { capabilities: { tools: {} }, instructions: instructionsFor(client.baseUrl) },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: tools.map(({ call: _, ...tool }) => tool) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal, notify, _meta } }) => {
      const { name, arguments: given = {} } = params;
      const tool = byName.get(name);
      if (!tool) {
        const names = [...byName.keys()].join(', ');
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}; the tools are ${names}`);
      }
      const watch = {
        signal: AbortSignal.any([signal, end.signal]),
        onProgress: progressOf(_meta?.progressToken, notify),
      };
      const telling = tool.call(client, given, watch).then(
        (data) => ({ ...told(JSON.stringify(data), false), structuredContent: { ...data } }),
        (error: unknown) => told(error instanceof Error ? why(error) : String(error), true),
      );
      underWay.add(telling);
      return telling.finally(() => underWay.delete(telling));
    });
    return server;
  };
  const served = serveStdio(newServer, { transport });
  const inputEnded = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) {
      process.stdin.once(event, () => resolve());
    }
  });
  await Promise.race([inputEnded, asked]);
  do {
    await endOfTurn();
  } while (input.readableLength > 0);
  end.abort(new Error('the tools are no longer served'));
  await Promise.all(underWay);
  await endOfTurn();
  await served.close();
}

/** Milliseconds between two messages of progress. */
const BETWEEN_MESSAGES_MS = 1000;

/** Tells an agent that has asked for it how far a call is: one that hears nothing for a minute gives up. */
function progressOf(
  progressToken: string | number | undefined,
  notify: (notification: { method: string; params: Record<string, unknown> }) => Promise<void>,
): (message: string) => void {
  let [progress, last] = [0, Number.NEGATIVE_INFINITY];
  return (message) => {
    const now = steadyNow();
    if (progressToken !== undefined && now - last >= BETWEEN_MESSAGES_MS) {
      [progress, last] = [progress + 1, now];
      const telling = notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
      // An agent that has gone is told nothing.
      telling.catch(() => undefined);
    }
  };
}

/** What a tool says; a failure is for the agent to read, not for the protocol. */
function told(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}
