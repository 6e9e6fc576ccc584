import { VERSION } from '../../base/package.ts';
import type { Command } from '../../command/command.ts';
import { waitForEnd } from '../../command/shutdown.ts';
import { explainError } from './explain-error.ts';

/** Its standard output is for the protocol only. */
export const MCP_COMMAND: Command = {
  name: 'mcp',
  parameters: [],
  skipsSandboxCheck: true,
  help: 'serve tools to coding agents (Model Context Protocol, on standard input and output)',
  details: () =>
    'An agent starts it: enter the command "npx merchant-sandbox mcp" in its settings. The tools inspect and control\n' +
    'the session of --session in the sandbox at --url; each tool also accepts the name of another session.',
  async run(client, _parameters, options) {
    const endRequest = waitForEnd({ withParent: false });
    const sandbox = { url: String(options['url']), controlToken: options['controlToken']?.toString() };
    const [{ serveTools }, { TOOLS }] = await Promise.all([import('../mcp/serve-tools.ts'), import('../mcp/tools.ts')]);
    await serveTools(TOOLS, { version: VERSION, client, endRequest, explain: (error) => explainError(error, sandbox) });
    return undefined;
  },
};
