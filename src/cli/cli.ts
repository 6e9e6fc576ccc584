import { main } from './main.ts';

// A reader that had enough of the output, such as `head`, ends neither a sandbox nor a command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

main(process.argv.slice(2), {
  environment: process.env,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
}).then((code) => {
  // Whatever is still open, such as a call that was not answered or a log that nobody reads, ends with it.
  process.exit(code);
});
