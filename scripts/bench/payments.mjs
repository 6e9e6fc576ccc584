// Payments against bare Express: throughput per channel, with stored payments, start and memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf, MOBILE_MONEY, WALLET } from './payment.mjs';
import { load, median, startServer, timeToFirstAnswer } from './processes.mjs';

const ROUNDS = 3;
const SECONDS = 4;

const CHANNELS = [
  { name: 'mobile money', members: MOBILE_MONEY, aim: 0.7 },
  { name: 'QR wallet', members: { walletName: 'WALLET_QR' }, aim: 0.35 },
  { name: 'card switch', members: { walletName: 'WALLET_SWITCH' }, aim: 0.7 },
  { name: 'card network A', members: { walletName: 'WALLET_CARD_A' }, aim: 0.7 },
  { name: 'card network B', members: { walletName: 'WALLET_CARD_B' }, aim: 0.7 },
];

const sandboxArgs = (data) => ['dist/cli.js', 'start', '--port', '0', '--data', data, '--log-level', 'warn'];
const expressArgs = (size) => ['scripts/bench/bare-express.mjs', String(size)];

async function answerSize(url, members) {
  const answer = await fetch(`${url}${WALLET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(members, 'ORDER-1'),
  });
  return (await answer.text()).length;
}

/** The sandbox's throughput as a share of bare Express, measured in turns so that noise meets both. */
async function ratio(sandbox, members, rounds = ROUNDS) {
  const body = bodyOf(members);
  const express = await startServer(expressArgs(await answerSize(sandbox.url, members)));
  const ratios = [];
  let last;
  for (let round = 0; round < rounds; round += 1) {
    const bare = await load({ url: `${express.url}/pay`, body, seconds: SECONDS });
    last = await load({ url: `${sandbox.url}${WALLET}`, body, seconds: SECONDS });
    ratios.push(last.perSecond / bare.perSecond);
  }
  await express.stop();
  return { ratio: median(ratios), p50: last.p50, p99: last.p99, perSecond: last.perSecond };
}

export async function benchPayments() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
  try {
    return [...(await channels(folder)), ...(await stored(folder)), ...(await startAndMemory(folder))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function channels(folder) {
  const rows = [];
  for (const { name, members, aim } of CHANNELS) {
    const sandbox = await startServer(sandboxArgs(join(folder, `${name}.json`)));
    const { ratio: value, p50, p99, perSecond } = await ratio(sandbox, members);
    await sandbox.stop();
    rows.push({
      name: `${name}, of bare Express`,
      value,
      aim,
      note: `${Math.round(perSecond)}/s, p50 ${p50} ms, p99 ${p99} ms`,
    });
  }
  return rows;
}

/** Each level is filled to just that many payments in a file of its own, then measured; the last one is restarted first. */
async function stored(folder) {
  const { members } = CHANNELS[0];
  const rows = [];
  let first;
  for (const count of [0, 1_000, 10_000, 100_000]) {
    const args = sandboxArgs(join(folder, `stored-${count}.json`));
    let sandbox = await startServer(args);
    const empty = sandbox.memory();
    if (count > 0) {
      await load({ url: `${sandbox.url}${WALLET}`, body: bodyOf(members), amount: count });
    }
    const grown = sandbox.memory() - empty;
    if (count === 100_000) {
      await sandbox.stop();
      const started = performance.now();
      sandbox = await startServer(args);
      const seconds = (performance.now() - started) / 1000;
      const note = `${sandbox.memory().toFixed(0)} MB after it`;
      rows.push({ name: `restart with ${count} stored, seconds`, value: seconds, aim: 3, least: true, note });
    }
    const measured = await ratio(sandbox, members);
    await sandbox.stop();
    first ??= measured.ratio;
    rows.push({
      name: `mobile money with ${count} stored, of that with 0`,
      value: measured.ratio / first,
      aim: count === 0 ? undefined : 0.9,
      note: `${measured.ratio.toFixed(2)} of bare Express; memory grew by ${grown.toFixed(0)} MB while filling`,
    });
  }
  return rows;
}

async function startAndMemory(folder) {
  const members = CHANNELS[0].members;
  const size = 900;
  const [ours, bare] = [[], []];
  for (let round = 0; round < 7; round += 1) {
    bare.push(await timeToFirstAnswer(expressArgs(size), '/pay', bodyOf(members, 'ORDER-1')));
    ours.push(
      await timeToFirstAnswer(sandboxArgs(join(folder, `start-${round}.json`)), WALLET, bodyOf(members, 'ORDER-1')),
    );
  }
  const express = await startServer(expressArgs(size));
  const sandbox = await startServer(sandboxArgs(join(folder, 'idle.json')));
  const idle = [sandbox.memory(), express.memory()];
  await Promise.all([express.stop(), sandbox.stop()]);
  return [
    {
      name: 'start to first answer, times bare Express',
      value: median(ours) / median(bare),
      aim: 2,
      least: true,
      note: `${median(ours).toFixed(0)} ms against ${median(bare).toFixed(0)} ms`,
    },
    {
      name: 'idle memory, times bare Express',
      value: idle[0] / idle[1],
      aim: 1.6,
      least: true,
      note: `${idle[0].toFixed(0)} MB against ${idle[1].toFixed(0)} MB`,
    },
  ];
}
