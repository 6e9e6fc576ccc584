import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('the base address', () => {
  it.each(['', '/s/mine'])('answers with addresses below %s that all exist', async (prefix) => {
    const { body } = await request(sandbox.url).get(`${prefix}/`);
    const links = Object.values<string>(body.links);
    expect(links.length).toBeGreaterThan(0);
    await sandbox.session('mine').reset();
    for (const link of links) {
      expect([link, (await request(link).get('')).status]).toEqual([link, 200]);
      expect(link).toMatch(new RegExp(`^${sandbox.url}${prefix}/(_sandbox|pay)/`));
    }
  });

  it.each(['/', '/s/mine', '/s/mine/', '/_sandbox', '/_sandbox/', '/s/mine/_sandbox/', '/_sandbox/console'])(
    'redirects a browser from %s to the console',
    async (path) => {
      const answer = await request(sandbox.url).get(path).set('Accept', BROWSER).redirects(4);
      const session = path.startsWith('/s/mine') ? '/s/mine' : '';
      expect([answer.status, answer.redirects.at(-1)]).toEqual([
        200,
        `${sandbox.url}${session}/_sandbox/console/overview`,
      ]);
    },
  );

  it('answers a program at /, and redirects it from /_sandbox/', async () => {
    expect((await request(sandbox.url).get('/_sandbox/')).status).toBe(303);
    expect((await request(sandbox.url).get('/')).status).toBe(200);
  });

  it.each(['/', '/s/mine', '/s/mine/'])('logs a browser in by the token in %s?token=…', async (path) => {
    const guarded = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
    const browser = request.agent(guarded.url);
    const page = await browser.get(`${path}?token=a-token`).set('Accept', BROWSER).redirects(4);
    expect([page.status, page.redirects.at(-1)]).toEqual([
      200,
      `${guarded.url}${path.replace(/\/$/, '')}/_sandbox/console/overview`,
    ]);
    expect((await browser.get('/_sandbox/payments')).status).toBe(200);
    await guarded.close();
  });

  it('creates no session, and does not accept POST', async () => {
    await request(sandbox.url).get('/s/never/');
    const { items } = await sandbox.client.list<{ name: string }>('sessions');
    expect(items.map(({ name }) => name)).not.toContain('never');
    expect((await request(sandbox.url).post('/')).status).toBe(404);
  });

  it.each(['/s/bad%20name/', '/s/-/'])('is refused at %s, whose session name is invalid', async (path) => {
    const { status, text } = await request(sandbox.url).get(path);
    expect([status, text]).toEqual([400, expect.stringContaining('is not a session name')]);
  });
});
