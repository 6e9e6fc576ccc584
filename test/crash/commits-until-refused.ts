// Stores payments until the store refuses one. Prints each confirmed payment, the refusal, whether reads show the refused payment,
// and whether a smaller change is stored afterwards.
import { openStore } from '../../src/server/store/file/embedded-store.ts';
import { payment, put, state } from '../server/store/samples.ts';

const [file = ''] = process.argv.slice(2);
const store = await openStore({ file, syncToDisk: false, onWarning: () => undefined });

async function pay(id: string): Promise<void> {
  await store.commit({
    session: 'odd',
    state: state(),
    changes: [put('payments', payment(id, { paymentCode: `code-${Number(id.slice(8)) % 50}` }))],
  });
}

for (let number = 1; ; number += 2) {
  try {
    await pay(`payment-${number}`);
    process.stdout.write(`payment-${number} 1\n`);
  } catch (error) {
    process.stdout.write(`${error}\n`);
    const stored = store.get('odd', 'payments', `payment-${number}`);
    process.stdout.write(`${stored ? 'stored' : 'not stored'}, ${store.failure ? 'degraded' : 'ok'}\n`);
    break;
  }
}
await store.commit({ session: 'odd', changes: [] });
process.stdout.write(`afterwards ${store.failure ? 'degraded' : 'ok'}\n`);
await store.close();
