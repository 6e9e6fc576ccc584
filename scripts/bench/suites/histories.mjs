// The cost of recording histories: payments with and without it in the same run.
import { inTurns, measureLoad, medianOf, ratioOf } from '../measure.mjs';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { load } from '../processes.mjs';
import { startSandbox, withStored } from '../sandbox.mjs';

const AIM = 0.98;
/** Payments after which both have compiled their code and dropped the first steps of the history. */
const WARM = 10_000;

export async function benchHistories({ folder, rounds, seconds }) {
  const rows = [];
  for (const name of ['mobile money', 'QR wallet']) {
    const [withIt, without] = await withStored(folder, 0, (recording) =>
      withStored(folder, 0, async (plain) => {
        const sandboxes = [await startSandbox(recording), await startSandbox(plain, '--history-size', '0')];
        const loadOf = ({ url }) => ({ url: `${url}${WALLET}`, body: bodyOf(CHANNELS[name]) });
        for (const sandbox of sandboxes) {
          await load({ ...loadOf(sandbox), amount: WARM });
        }
        const measures = sandboxes.map((sandbox) => () => measureLoad(sandbox, { ...loadOf(sandbox), seconds }));
        const results = await inTurns(rounds, ...measures);
        await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
        return results;
      }),
    );
    const figures = (member) => [withIt, without].map((results) => medianOf(results, member).toFixed(0));
    const [own, other] = figures('perSecond');
    const [ownTime, otherTime] = figures('microseconds');
    const title = `${name} with its history recorded, relative to without`;
    rows.push(
      { name: title, aim: AIM, value: ratioOf(withIt, without, 'perSecond'), note: `${own}/s against ${other}/s` },
      {
        name: `${title}, by processor time`,
        aim: AIM,
        value: ratioOf(without, withIt, 'microseconds'),
        note: `${ownTime} µs against ${otherTime} µs`,
      },
    );
  }
  return rows;
}
