import { dataFolder } from '../../../../src/server/http/tls/data-folder.ts';

it("the folder of the CA is in the user's data, and has the program's name", () => {
  expect(dataFolder()).toMatch(/[\\/]merchant-sandbox$/);
});
