import { main } from './main.ts';

// A closed output, for example by `head`, must not end a sandbox or a command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

// Counts as a failure unless `main` resolves.
process.exitCode = 1;
main(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
}).then((code) => {
  // Exits after a slow reader has all output, even if something is still open, such as a call without an answer.
  process.stdout.write('', () => process.exit(code));
});
