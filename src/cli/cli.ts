import { main } from './main.ts';

// A reader that had enough of the output, such as `head`, ends neither a sandbox nor a command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

// Until it is known how it ended: what comes to no end has not succeeded.
process.exitCode = 1;
main(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
}).then((code) => {
  // All that was printed reaches a slow reader first; whatever else is open, such as a call that was not answered, ends with it.
  process.stdout.write('', () => process.exit(code));
});
