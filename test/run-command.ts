import { main } from '../src/cli/main.ts';

/** Runs a command line in this process, in a tenth of the time of a separate one. Resolves with its exit code and output. */
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
