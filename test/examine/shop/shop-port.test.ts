import { choosePort } from '../../../src/examine/shop/shop-port.ts';

const SHOP = { command: 'npm start -- --port {port}', app: 'http://127.0.0.1:{port}', environment: { A: 'b' } };

it('a shop whose address contains {port} gets a free port in its command and in PORT', async () => {
  const { command, app, environment } = await choosePort(SHOP);
  const [, port] = /^http:\/\/127\.0\.0\.1:(\d{4,5})$/.exec(app) ?? [];
  expect([command, environment]).toEqual([`npm start -- --port ${port}`, { A: 'b', PORT: port }]);
});

it('a shop whose address has no {port} is unchanged', async () => {
  const shop = { ...SHOP, app: 'http://127.0.0.1:3000' };
  expect(await choosePort(shop)).toBe(shop);
});

it('{port} is refused without a command that starts the shop', async () => {
  await expect(choosePort({ ...SHOP, command: undefined })).rejects.toThrow('--command');
});
