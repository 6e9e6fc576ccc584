// `npm run bench -- --profile`: writes profiles of processor time and allocation for each channel, as files for a browser's
// developer tools, and prints a table with the first twenty functions of each.
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { bodyOf, CHANNELS, WALLET } from './payment.mjs';
import { load, startServer } from './processes.mjs';
import { sandboxArgs, withStored } from './sandbox.mjs';

const FOLDER = resolve('reports/profile');
const ROWS = 20;
const ALLOCATIONS = new URL('allocation-profile.mjs', import.meta.url);

export async function profileChannels({ seconds, folder }) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, members] of Object.entries(CHANNELS)) {
    const file = resolve(FOLDER, name.toLowerCase().replaceAll(' ', '-'));
    // One after the other, because each profiler would appear in the profile of the other.
    for (const { title, nodeArgs, read } of [
      cpuProfile(`${file}.cpuprofile`),
      allocationProfile(`${file}.heapprofile`),
    ]) {
      await withStored(folder, 0, (data) => pay([...nodeArgs, ...sandboxArgs(data)], bodyOf(members), 2 * seconds));
      print(`${name}: ${title}`, read());
    }
  }
  console.log(`\nThe profiles are in ${FOLDER}`);
}

async function pay(args, body, seconds) {
  const sandbox = await startServer(args);
  await load({ url: `${sandbox.url}${WALLET}`, body, seconds });
  // Node.js writes profiles when a process ends by itself, which SIGTERM asks for.
  await sandbox.stop();
}

function cpuProfile(file) {
  return {
    title: 'own time, of all time that was not idle',
    nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`, `--cpu-prof-name=${basename(file)}`],
    read: () =>
      JSON.parse(readFileSync(file, 'utf8'))
        .nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)')
        .map(({ callFrame, hitCount }) => ({ callFrame, amount: hitCount })),
  };
}

function allocationProfile(file) {
  const flatten = ({ callFrame, selfSize, children }) => [
    { callFrame, amount: selfSize },
    ...children.flatMap(flatten),
  ];
  return {
    title: 'allocated, of all bytes',
    nodeArgs: ['--import', `${ALLOCATIONS}?file=${encodeURIComponent(file)}`],
    read: () => flatten(JSON.parse(readFileSync(file, 'utf8')).head),
  };
}

function print(title, samples) {
  const amounts = new Map();
  let total = 0;
  for (const { callFrame, amount } of samples) {
    const { functionName, url, lineNumber } = callFrame;
    const place = url === '' ? '' : `${basename(url)}:${lineNumber + 1}`;
    const key = `${(functionName || '(anonymous)').padEnd(40)} ${place}`;
    amounts.set(key, (amounts.get(key) ?? 0) + amount);
    total += amount;
  }
  console.log(`\n${title}`);
  for (const [key, amount] of [...amounts].sort(([, one], [, other]) => other - one).slice(0, ROWS)) {
    console.log(`${((100 * amount) / total).toFixed(1).padStart(5)} %  ${key}`);
  }
}
