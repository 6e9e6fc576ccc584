import { main } from '../src/cli/main.ts';

/** Runs a command line to its end in this process: what the shell would show of it, in a tenth of the time. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const code = await main(args, {
    environment: { ...process.env, ...environment },
    print: (text) => {
      stdout += text;
    },
    complain: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}
