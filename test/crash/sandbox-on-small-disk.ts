// A sandbox that prints its address and runs until it is killed. Argument: the file for its data.
import { startSandbox } from '../sandbox.ts';

const [file = ''] = process.argv.slice(2);
const { url } = await startSandbox({ data: file });
process.stdout.write(`${url}\n`);
process.stdin.resume();
