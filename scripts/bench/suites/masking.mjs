// The processor time of masking a text, for each kind of text, as a body that could not be read and as a sentence, as a multiple of the
// time for reading and writing as much JSON. A multiple of 8 is about 50 ms per MB on a machine without other work.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { KIND_NAMES } from '../masking/texts.mjs';

const MEASURE = new URL('../masking/measure.mjs', import.meta.url).pathname;

export async function benchMasking({ rounds, folder }) {
  const module = join(folder, 'masking.mjs');
  await build({
    entryPoints: ['src/base/masking/redact.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: module,
  });
  return KIND_NAMES.map((kind) => {
    const [body, sentence] = ['redactText', 'redactSentence'].map((name) => measure(module, name, kind, rounds));
    return {
      name: `masking ${kind}, relative to reading and writing JSON`,
      value: Math.max(body.times, sentence.times),
      aim: 8,
      isMaximum: true,
      note: `ms per MB: body ${figures(body)}; sentence ${figures(sentence)}`,
    };
  });
}

const figures = ({ warm, cold }) => `${warm.toFixed(1)}, the first time ${cold.toFixed(1)}`;

/** In a new process, because code that other kinds of texts have warmed is faster. */
function measure(...args) {
  return JSON.parse(execFileSync(process.execPath, [MEASURE, ...args.map(String)], { encoding: 'utf8' }));
}
