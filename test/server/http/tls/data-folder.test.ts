import { dataFolder } from '../../../../src/server/http/tls/data-folder.ts';

it("the default folder of the CA has the program's name", () => {
  expect(dataFolder()).toMatch(/[\\/]merchant-sandbox$/);
});
