// Prints the milliseconds of processor time that masking a text of 1 MB takes, for the first run and as the
// median of later runs. Also prints it as a multiple of the time for reading and writing 1 MB of JSON, which depends less on the machine.
// Arguments: the built module, the name of its function, the kind of text, and the number of runs.
import { pathToFileURL } from 'node:url';
import { median } from '../measure.mjs';
import { textOf } from './texts.mjs';

const WARM = 4;
const [module, name, kind, rounds] = process.argv.slice(2);
const { [name]: mask } = await import(pathToFileURL(module));
const text = textOf(kind, 1e6);
const json = `${textOf('JSON', 1e6)}]`;

function measure(read, given) {
  const before = process.cpuUsage();
  read(given);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (Buffer.byteLength(given) / 1e6);
}

const samples = Array.from({ length: 1 + WARM + Number(rounds) }, () => ({
  mask: measure(mask, text),
  json: measure((given) => JSON.stringify(JSON.parse(given)), json),
}));
const [warm, reference] = ['mask', 'json'].map((what) => median(samples.slice(1 + WARM).map((sample) => sample[what])));
console.log(JSON.stringify({ cold: samples[0].mask, warm, times: warm / reference }));
