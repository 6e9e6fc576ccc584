// The balancers' example configurations, without a balancer; `npm run check-balancers` tries them with real ones.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { targetOf } from '../../src/http/target.ts';

const haproxy = readFileSync('docs/scaling/haproxy.cfg', 'utf8');
const nginx = readFileSync('docs/scaling/nginx.conf', 'utf8');

/** What nginx compares is decoded already. */
const pattern = new RegExp(/~(\S+) \$session_of_path;/.exec(nginx)?.[1] ?? 'missing');
const condition = new RegExp(/if \{ path_reg (\S+) \}/.exec(haproxy)?.[1] ?? 'missing');

it.each([
  ['/s/checkout', 'checkout'],
  ['/s/checkout/', 'checkout'],
  ['/s/checkout/auth/authenticate/merchant', 'checkout'],
  ['/s/%63heckout/pay/phone', 'checkout'],
  ['/s/a-b_c.d~e/_sandbox/events', 'a-b_c.d~e'],
  ['/s/', undefined],
  ['/s', undefined],
  ['/s//pay', undefined],
  ['/', undefined],
  ['/_sandbox/s/checkout', undefined],
])('find the session in %s as the sandbox does', (path, session) => {
  const target = targetOf({ url: path, headers: { 'x-sandbox-session': 'from-header' } } as unknown as IncomingMessage);
  expect(target.session).toBe(session ?? 'from-header');
  expect(pattern.exec(decodeURIComponent(path))?.groups?.['session_of_path']).toBe(session);
  expect(condition.test(path) ? decodeURIComponent(path.split('/')[2] ?? '') : undefined).toBe(session);
});

it('name the same sandboxes', () => {
  const addresses = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, address]) => address);
  const sandboxes = addresses(haproxy, /^ +server \w+ (\S+)$/gm);
  expect(sandboxes).toEqual(['127.0.0.1:4101', '127.0.0.1:4102']);
  expect(addresses(nginx, /^ +server (\S+) max_fails=0;$/gm)).toEqual(sandboxes);
});

it('leave a session with its sandbox even while that is away', () => {
  expect(haproxy).not.toMatch(/^[^#\n]*\b(check|redispatch)\b/m);
  expect(nginx).toMatch(/^ +proxy_next_upstream off;$/m);
});
