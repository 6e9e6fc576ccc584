// Keeps payments in a store until that refuses one, and says which were confirmed, why it refused, what reads show of it, and
// whether a change that fits is kept again.
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
    const stored = await store.get('odd', 'payments', `payment-${number}`);
    process.stdout.write(`${stored ? 'seen' : 'not seen'}, ${store.failure ? 'degraded' : 'well'}\n`);
    break;
  }
}
await store.commit({ session: 'odd', changes: [] });
process.stdout.write(`afterwards ${store.failure ? 'degraded' : 'well'}\n`);
await store.close();
