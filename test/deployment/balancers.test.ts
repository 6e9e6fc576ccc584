// The balancers' example configurations, without a balancer; `npm run check-balancers` tries them with real ones.
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import { FLAGS } from '../../src/server/config/settings.ts';
import { targetOf } from '../../src/server/http/target.ts';

const read = (name: string) => readFileSync(`docs/scaling/${name}`, 'utf8');
const [haproxy, nginx] = [read('haproxy.cfg'), read('nginx.conf')];
const nodes = {
  haproxy: read('nodes-haproxy.cfg'),
  haproxyHash: read('nodes-haproxy-hash.cfg'),
  nginx: read('nodes-nginx.conf'),
  compose: read('compose-haproxy.cfg'),
};

/** nginx compares this pattern with the decoded path. */
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
])('the balancers find the session in %s as the sandbox does', (path, session) => {
  const target = targetOf({ url: path, headers: { 'x-sandbox-session': 'from-header' } } as unknown as IncomingMessage);
  expect(target.session).toBe(session ?? 'from-header');
  expect(pattern.exec(decodeURIComponent(path))?.groups?.['session_of_path']).toBe(session);
  expect(condition.test(path) ? decodeURIComponent(path.split('/')[2] ?? '') : undefined).toBe(session);
});

it('the balancers name the same sandboxes', () => {
  const addresses = (text: string, expression: RegExp) => [...text.matchAll(expression)].map(([, address]) => address);
  const sandboxes = addresses(haproxy, /^ +server \w+ (\S+)$/gm);
  expect(sandboxes).toEqual(['127.0.0.1:4101', '127.0.0.1:4102']);
  expect(addresses(nginx, /^ +server (\S+) max_fails=0;$/gm)).toEqual(sandboxes);
});

it('the balancers are configured to send a session to the same sandbox even if it is down', () => {
  expect(haproxy).not.toMatch(/^[^#\n]*\b(check|redispatch)\b/m);
  expect(nginx).toMatch(/^ +proxy_next_upstream off;$/m);
});

describe('the balancers of nodes that share a database', () => {
  const linesWith = (text: string, words: RegExp) => text.split('\n').filter((line) => words.test(line));

  it('find the session like those of separate sandboxes', () => {
    expect(linesWith(nodes.haproxyHash, /set-var|hash/)).toEqual(linesWith(haproxy, /set-var|hash/));
    expect(linesWith(nodes.nginx, /^map|^ {2}~|^ {2}default|hash /)).toEqual(
      linesWith(nginx, /^map|^ {2}~|^ {2}default|hash /).map((line) => line.replace('sandboxes', 'sandbox_nodes')),
    );
  });

  it.each([nodes.haproxy, nodes.haproxyHash, nodes.compose])(
    'check whether a node is ready, and never repeat a request',
    (text) => {
      expect(text).toContain('option httpchk GET /_sandbox/health/ready');
      expect(text).not.toMatch(/^[^#\n]*(retry-on|shutdown-sessions)/m);
    },
  );

  it('are started by a compose file with the nodes that its balancer names', () => {
    const { services } = parse(readFileSync('compose.nodes.yaml', 'utf8'), { merge: true });
    const addresses = [...nodes.compose.matchAll(/^ +server (\w+) (\S+)$/gm)].map(([, name = '', address]) => [
      services[name].environment.SANDBOX_NODE_URL,
      `http://${address}`,
    ]);
    expect(addresses).toEqual([1, 2].map(() => [expect.any(String), expect.any(String)]));
    for (const [nodeUrl, balancedUrl] of addresses) {
      expect(nodeUrl).toBe(balancedUrl);
    }
    const variables = Object.keys(services.one.environment);
    const knownVariables = FLAGS.map(({ flag }) => `SANDBOX_${flag.toUpperCase().replaceAll('-', '_')}`);
    expect(variables.filter((name) => !knownVariables.includes(name))).toEqual([]);
    expect(services.balancer.volumes).toEqual([expect.stringMatching(/^\.\/docs\/scaling\/compose-haproxy\.cfg:/)]);
  });
});
