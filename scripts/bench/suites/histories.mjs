// What recording histories costs: payments per second with it beside those without it, in the same run.
import { inTurns, medianOf, ratioOf } from '../measure.mjs';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { load } from '../processes.mjs';
import { startSandbox, withStored } from '../sandbox.mjs';

const AIM = 0.95;

export async function benchHistories({ folder, rounds, seconds }) {
  const rows = [];
  for (const name of ['mobile money', 'QR wallet']) {
    const body = bodyOf(CHANNELS[name]);
    const measured = await withStored(folder, 0, (recording) =>
      withStored(folder, 0, async (plain) => {
        const sandboxes = [await startSandbox(recording), await startSandbox(plain, '--history-size', '0')];
        const measures = sandboxes.map(
          ({ url }) =>
            (round) =>
              load({ url: `${url}${WALLET}`, body, seconds: round === 0 ? 1 : seconds }),
        );
        const [withIt, without] = (await inTurns(rounds + 1, ...measures)).map((results) => results.slice(1));
        await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
        const [own, other] = [withIt, without].map((results) => medianOf(results, 'perSecond').toFixed(0));
        return { value: ratioOf(withIt, without, 'perSecond'), note: `${own}/s against ${other}/s` };
      }),
    );
    rows.push({ name: `${name} with its history recorded, of without`, aim: AIM, ...measured });
  }
  return rows;
}
