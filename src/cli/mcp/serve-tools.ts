import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { endOfTurn, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { createMessageFilter } from './messages.ts';
import type { Tool } from './tool.ts';

/** The server's description of itself for an agent. */
const instructionsFor = (baseUrl: string) =>
  `A sandbox of a merchant payments service. Point the integration to ${baseUrl}, which creates the session. show_call shows what ` +
  'it sent last, with all findings, report what it does wrong, and get_state what is due. Times are by the clock of the session. ' +
  'To start again, pass the name of a new session.';

export interface ServeOptions {
  version: string;
  /** The session whose base address the integration needs. */
  client: SandboxClient;
  /** Resolves when the process is asked to end. */
  endRequest: Promise<void>;
  /** Returns the message for a failed call. */
  explain(error: Error): string;
}

/**
 * Serves tools by the Model Context Protocol on standard input and output, until the input ends or `endRequest` resolves. Long calls are
 * then cancelled, others are answered first. Uses the library's low-level server, which accepts JSON Schemas unchanged and leaves
 * the validation of arguments to each tool.
 */
export async function serveTools(tools: readonly Tool[], { version, client, endRequest, explain }: ServeOptions) {
  const end = new AbortController();
  const running = new Set<Promise<unknown>>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // The library stops as soon as its input ends, so requests just before the end would get no answer.
  const messages = createMessageFilter((error) => process.stdout.write(`${JSON.stringify(error)}\n`));
  const input = process.stdin.pipe(messages, { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  const newServer = () => {
    const server = new Server(
      { name: 'merchant-sandbox', version },
      { capabilities: { tools: {} }, instructions: instructionsFor(client.baseUrl) },
    );
    server.setRequestHandler('tools/list', async () => ({ tools: tools.map(({ call: _, ...tool }) => tool) }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal, notify, _meta } }) => {
      const { name, arguments: args = {} } = params;
      const tool = byName.get(name);
      if (!tool) {
        const names = [...byName.keys()].join(', ');
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}; the tools are ${names}`);
      }
      const context = {
        signal: AbortSignal.any([signal, end.signal]),
        onProgress: createProgressSender(_meta?.progressToken, notify),
      };
      const result = tool.call(client, args, context).then(
        (data) => ({ ...resultOf(JSON.stringify(data), false), structuredContent: { ...data } }),
        (error: unknown) => resultOf(error instanceof Error ? explain(error) : String(error), true),
      );
      running.add(result);
      return result.finally(() => running.delete(result));
    });
    return server;
  };
  const server = serveStdio(newServer, { transport });
  const inputEnded = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) {
      process.stdin.once(event, () => resolve());
    }
  });
  await Promise.race([inputEnded, endRequest]);
  do {
    await endOfTurn();
  } while (input.readableLength > 0);
  end.abort(new Error('the tools are no longer served'));
  await Promise.all(running);
  await endOfTurn();
  await server.close();
}

const PROGRESS_INTERVAL_MS = 1000;

/** Sends progress to an agent that has asked for it, because an agent gives up after about a minute without any. */
function createProgressSender(
  progressToken: string | number | undefined,
  notify: (notification: { method: string; params: Record<string, unknown> }) => Promise<void>,
): (message: string) => void {
  let [progress, last] = [0, Number.NEGATIVE_INFINITY];
  return (message) => {
    const now = steadyNow();
    if (progressToken !== undefined && now - last >= PROGRESS_INTERVAL_MS) {
      [progress, last] = [progress + 1, now];
      // The agent may have disconnected.
      notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => undefined);
    }
  };
}

/** The result of a tool. A failure is a result as well, so that the agent reads it. */
function resultOf(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}
