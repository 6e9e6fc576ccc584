// Stores payments, and prints the payment and its new amount after each confirmed commit: "payment-7 3".
// Arguments: file, bytes of the journal before a checkpoint, number of the first payment, `sync` or another word.
import { openStore } from '../../src/server/store/file/embedded-store.ts';
import { image, payment, put, state } from '../server/store/samples.ts';

const [file = '', checkpointBytes, first, sync] = process.argv.slice(2);
const store = await openStore({
  file,
  syncToDisk: sync === 'sync',
  checkpointBytes: Number(checkpointBytes),
  // A kill may leave an incomplete line, which was never confirmed.
  onWarning: () => undefined,
});

/** Creates a payment and raises its amount twice, in commits of different sizes. */
async function pay(number: number): Promise<void> {
  const id = `payment-${number}`;
  for (let amount = 1; amount <= 3; amount += 1) {
    const changes = [put('payments', payment(id, { amount, paymentCode: `code-${number % 50}` }))];
    if (number % 20 === 0) {
      changes.push(put('images', image(`image-${number}`, 'A'.repeat(200_000))));
    }
    await store.commit({ session: number % 2 === 0 ? 'even' : 'odd', state: state({ rngPosition: number }), changes });
    process.stdout.write(`${id} ${amount}\n`);
  }
}

let next = Number(first);
await Promise.all(
  Array.from({ length: 5 }, async () => {
    for (;;) {
      await pay(next++);
    }
  }),
);
