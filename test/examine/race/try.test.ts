import { summaryOf } from '../../../src/examine/report/summary.ts';
import { examineRace } from './examine-race.ts';

it('try', async () => {
  const began = performance.now();
  const mistake = process.env['MISTAKE'] as never;
  const examined = await examineRace({
    mistake,
    seed: Number(process.env['SEED'] ?? 1),
    only: (process.env['ONLY'] ?? 'race').split(','),
  });
  process.stderr.write(
    summaryOf(examined) +
      '\n' +
      examined.verdicts
        .filter((v) => v.verdict !== 'handled')
        .map((v) => `${v.id} ${v.verdict} ${v.note ?? ''}`)
        .join('\n') +
      `\n${Math.round(performance.now() - began)} ms, ${examined.cases} orders\n`,
  );
}, 600000);
