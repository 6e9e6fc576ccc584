import { choosePort } from '../../../src/examine/shop/shop-port.ts';

const SHOP = { command: 'npm start -- --port {port}', app: 'http://127.0.0.1:{port}', environment: { A: 'b' } };

it('a shop whose address contains {port} gets a free port in its command and in PORT', async () => {
  const { command, app, environment } = await choosePort(SHOP);
  const [, port] = /^http:\/\/127\.0\.0\.1:(\d{4,5})$/.exec(app) ?? [];
  expect([command, environment]).toEqual([`npm start -- --port ${port}`, { A: 'b', PORT: port }]);
});

it('a shop whose address is known keeps it', async () => {
  const shop = { ...SHOP, app: 'http://127.0.0.1:3000' };
  expect(await choosePort(shop)).toBe(shop);
});

it('a free port needs a shop that is started for the examination', async () => {
  await expect(choosePort({ ...SHOP, command: undefined })).rejects.toThrow('--command');
});
