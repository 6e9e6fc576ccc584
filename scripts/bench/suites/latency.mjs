// The 99th percentile of payments at half load, compared with bare Express at half of its load.
import { expressArgs, inTurns, medianOf, ratioOf } from '../measure.mjs';
import { bodyOf, CHANNELS, MOBILE_MONEY, WALLET } from '../payment.mjs';
import { load, startServer, startSteadyLoad } from '../processes.mjs';
import { call, startSandbox, withStored } from '../sandbox.mjs';

export async function benchLatency({ rounds, seconds, folder }) {
  return withStored(folder, 0, async (data) => {
    const sandbox = await startSandbox(data);
    const url = `${sandbox.url}${WALLET}`;
    const { text } = await call(url, 'POST', bodyOf(CHANNELS['mobile money'], 'ORDER-1'));
    const express = await startServer(expressArgs(Buffer.byteLength(text)));
    const atHalf = async (target) => {
      const { perSecond } = await load({ url: target, body: MOBILE_MONEY, seconds });
      const rate = Math.round(perSecond / 2);
      const steady = await startSteadyLoad({ url: target, body: MOBILE_MONEY, rate, seconds: 2 * seconds }).result;
      return { ...steady, rate };
    };
    const [bare, own] = await inTurns(
      rounds,
      () => atHalf(`${express.url}/pay`),
      () => atHalf(url),
    );
    await Promise.all([express.stop(), sandbox.stop()]);
    const figures = (results) => {
      const [p50, p99, rate] = ['p50', 'p99', 'rate'].map((member) => medianOf(results, member));
      return `${p99.toFixed(2)} ms (p50 ${p50.toFixed(2)} ms) at ${rate}/s`;
    };
    return [
      {
        name: 'p99 of mobile money at half load, relative to bare Express',
        value: ratioOf(own, bare, 'p99'),
        aim: 1.5,
        isMaximum: true,
        note: `${figures(own)} against ${figures(bare)}`,
      },
    ];
  });
}
