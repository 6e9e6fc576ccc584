// Prints the milliseconds of processor time that masking a text of 1 MB takes: the first time, and the median of later ones.
// Arguments: the built module, the name of its function, the kind of text, and how often.
import { pathToFileURL } from 'node:url';
import { median } from '../measure.mjs';
import { textOf } from './texts.mjs';

const WARM = 4;
const [module, name, kind, rounds] = process.argv.slice(2);
const { [name]: mask } = await import(pathToFileURL(module));
const text = textOf(kind, 1e6);
const megabytes = Buffer.byteLength(text) / 1e6;

function measure() {
  const before = process.cpuUsage();
  mask(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / megabytes;
}

const taken = Array.from({ length: 1 + WARM + Number(rounds) }, measure);
console.log(JSON.stringify({ cold: taken[0], warm: median(taken.slice(1 + WARM)) }));
