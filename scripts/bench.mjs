// `npm run bench`: every figure is a ratio to something measured in the same run, so a noisy machine does not matter much.
import { benchPayments } from './bench/payments.mjs';
import { benchSessions } from './bench/sessions.mjs';
import { benchWebhooks } from './bench/webhooks.mjs';

const SUITES = { payments: benchPayments, sessions: benchSessions, webhooks: benchWebhooks };

const wanted = process.argv.slice(2);
const rows = [];
for (const [name, bench] of Object.entries(SUITES)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    rows.push(...(await bench()));
  }
}
const width = Math.max(...rows.map(({ name }) => name.length));
console.log(`${'measure'.padEnd(width)}  ${'value'.padStart(8)}  ${'aim'.padStart(7)}  `);
for (const { name, value, aim, least = false, note = '' } of rows) {
  const wish = aim === undefined ? '' : `${least ? '≤' : '≥'} ${aim}`;
  const isMet = aim === undefined || (least ? value <= aim : value >= aim);
  console.log(
    `${name.padEnd(width)}  ${value.toFixed(2).padStart(8)}  ${wish.padStart(7)}  ${isMet ? '' : 'MISSED '}${note}`,
  );
}
