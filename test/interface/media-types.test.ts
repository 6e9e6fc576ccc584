import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { single } from './calls.ts';
import { startSandbox } from './sandboxes.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const JSON_TYPE = 'application/json;charset=UTF-8';
const TEXT_TYPE = 'text/plain;charset=UTF-8';

describe('the media type of an answer', () => {
  it.each([
    [undefined, TEXT_TYPE],
    ['*/*', TEXT_TYPE],
    ['text/plain', TEXT_TYPE],
    ['text/*', TEXT_TYPE],
    ['text/html', TEXT_TYPE],
    ['nonsense', TEXT_TYPE],
    ['text/plain, application/json', TEXT_TYPE],
    ['application/json;q=0.2, text/plain', TEXT_TYPE],
    ['application/json;q=0, */*', TEXT_TYPE],
    ['application/json', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json, text/plain, */*', JSON_TYPE],
    ['text/plain;q=0.5, application/json', JSON_TYPE],
    ['text/plain;q=0, */*', JSON_TYPE],
  ])('for Accept %s is %s, of success and refusal alike', async (accept, type) => {
    const headers = accept === undefined ? {} : { Accept: accept };
    const paths = {
      '/init/authenticate/merchant/wallet': 200,
      '/init/authenticate/merchant/bulkWallet': 400,
      '/no': 404,
    };
    for (const [path, status] of Object.entries(paths)) {
      const answer = await request(sandbox.url).post(path).set(headers).send(single());
      expect([answer.status, answer.headers['content-type'], answer.headers['vary']]).toEqual([status, type, 'Accept']);
    }
  });
});
