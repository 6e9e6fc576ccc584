import request from 'supertest';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('the base address', () => {
  it.each(['', '/s/mine'])('tells where to go from there, below %s, and each place is there', async (prefix) => {
    const { body } = await request(sandbox.url).get(`${prefix}/`);
    const places = Object.values<string>(body.links);
    expect(places.length).toBeGreaterThan(0);
    await sandbox.session('mine').reset();
    for (const place of places) {
      expect([place, (await request(place).get('')).status]).toEqual([place, 200]);
      expect(place).toMatch(new RegExp(`^${sandbox.url}${prefix}/(_sandbox|pay)/`));
    }
  });

  it('shows a browser the same as a page', async () => {
    const { body } = await request(sandbox.url).get('/');
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { headers, text } = await request(sandbox.url).get('/').set('Accept', browser);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect([...text.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual(Object.values(body.links));
  });

  it('makes no session, and takes no other method', async () => {
    await request(sandbox.url).get('/s/never/');
    const { items } = await sandbox.client.list<{ name: string }>('sessions');
    expect(items.map(({ name }) => name)).not.toContain('never');
    expect((await request(sandbox.url).post('/')).status).toBe(404);
  });
});
