import { loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { AdapterError } from '../../../src/examine/shop/adapter.ts';
import { createStateCommand } from '../../../src/examine/shop/state-command.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { writeModule } from '../adapters/forms.ts';

const newFolder = temporaryFolders();

/** A command that prints a text, in which ID is replaced with the id of the order. */
const commandPrinting = (text: string, id = '{orderId}') =>
  `"${process.execPath}" -e "process.stdout.write(process.argv[1].replace('ID', process.argv[2]))" "${text}" "${id}"`;

async function stateFrom(command: string, orderId = '17') {
  const module = writeModule(newFolder(), 'export const placeOrder = () => ({ orderId: 1 });');
  const { adapter, close } = await loadAdapter(module, { stateCommand: command });
  try {
    return await adapter.orderState(orderId);
  } finally {
    await close();
  }
}

it.each([
  ['a row as psql -tA does', 'paid ID|1|10.50\n', { state: 'paid 17', fulfilments: 1, paidAmount: '10.50' }],
  ['an empty amount', 'open|0|', { state: 'open', fulfilments: 0, paidAmount: '0.00' }],
  ['an amount with more decimals', 'paid|2|10.5000', { state: 'paid', fulfilments: 2, paidAmount: '10.50' }],
])('a state command that prints %s replaces orderState', async (_what, text, state) => {
  expect(await stateFrom(commandPrinting(text))).toEqual(state);
});

it('a state command may print JSON, with a number as the amount', async () => {
  const json = '{ \\"state\\": \\"ID\\", \\"fulfilments\\": 1, \\"paidAmount\\": 10.5 }';
  expect(await stateFrom(commandPrinting(json))).toEqual({ state: '17', fulfilments: 1, paidAmount: '10.50' });
});

it('a state command that prints nothing means that the order does not exist', async () => {
  expect(await createStateCommand(commandPrinting(''))('17')).toBeNull();
});

it.each(["1'; drop table orders", '$(id)', '1 2', '#17'])(
  'the order id %s is not written into a command, but is in its variable ORDER_ID',
  async (id) => {
    await expect(stateFrom(commandPrinting('paid|1|1'), id)).rejects.toThrow(/use the variable ORDER_ID/);
    const command = `"${process.execPath}" -p "JSON.stringify({ state: process.env.ORDER_ID, fulfilments: 0, paidAmount: null })"`;
    expect(await stateFrom(command, id)).toMatchObject({ state: id });
  },
);

it.each([
  ['another number of columns', 'paid|1', /must resolve with .* not "paid\|1"/],
  ['a broken amount', 'paid|1|ten', /must resolve with .*"paidAmount":"ten"/],
])('a state command that prints %s is refused', async (_what, text, words) => {
  await expect(stateFrom(commandPrinting(text))).rejects.toThrow(words);
});

it('a state command that fails, or has no placeholder for the order, is refused', async () => {
  await expect(stateFrom(`"${process.execPath}" -e "process.exit(3)" {orderId}`)).rejects.toThrow('Command failed');
  expect(() => createStateCommand('cat orders')).toThrow(AdapterError);
});
