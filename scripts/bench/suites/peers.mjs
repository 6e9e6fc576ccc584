// Compares other mock servers with bare Express, with the same 450-byte payment and an answer of about 520 bytes.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../free-port.mjs';
import { compareWithExpress } from '../measure.mjs';
import { bodyOf, CHANNELS } from '../payment.mjs';
import { startServer } from '../processes.mjs';
import { call } from '../sandbox.mjs';

/** 520 bytes. */
const ANSWER = { answer: 'x'.repeat(507) };
/** 450 bytes with the reference that autocannon inserts. */
const BODY = bodyOf({ ...CHANNELS['mobile money'], paymentDescription: 'A payment of the benchmark. '.repeat(4) });

/** The configuration of each is in a file. `checks` and `keeps` are the part of the sandbox's work that it also does. */
const PEERS = [
  {
    name: 'mountebank',
    package: 'mountebank',
    program: 'mb',
    checks: 'nothing but one member, in injected code',
    keeps: 'a count, until it ends',
    file: ({ port }) => ({
      imposters: [{ protocol: 'http', port, stubs: [{ responses: [{ inject: countPayments() }] }] }],
    }),
    args: ({ file, controlPort, folder }) => [
      ...['--configfile', file, '--allowInjection', '--port', controlPort, '--host', '127.0.0.1'],
      ...['--pidfile', join(folder, 'mb.pid'), '--nologfile', '--loglevel', 'error'],
    ],
  },
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    program: 'prism',
    checks: 'the body by a schema',
    keeps: 'nothing',
    file: openApi,
    args: ({ file, port }) => ['mock', file, '--port', port, '--verboseLevel', 'error', '--errors'],
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    program: 'mockoon-cli',
    checks: 'nothing',
    keeps: 'payments, until it ends',
    file: mockoonEnvironment,
    args: ({ file, port }) => ['start', '--data', file, '--port', port, '--disable-log-to-file', '--disable-admin-api'],
  },
  {
    name: 'json-server',
    package: 'json-server',
    program: 'json-server',
    checks: 'nothing',
    keeps: 'payments in a file that it rewrites completely; survives a kill',
    file: () => ({ pay: [] }),
    args: ({ file, port }) => ['--quiet', '--host', '127.0.0.1', '--port', port, file],
  },
];

export async function benchPeers(options) {
  const rows = [];
  for (const peer of PEERS) {
    const program = programOf(peer, options.peers);
    if (program) {
      rows.push(await benchPeer(peer, program, options));
    } else {
      const installFolder = options.peers === '.' ? join(tmpdir(), 'peers') : options.peers;
      const install = `npm install --prefix ${installFolder} ${peer.package}`;
      console.log(`${peer.name} is not installed: ${install} && npm run bench -- --peers=${installFolder}`);
    }
  }
  return rows;
}

function programOf({ package: name, program }, root) {
  const folder = resolve(root, 'node_modules', name);
  const file = join(folder, 'package.json');
  if (!existsSync(file)) {
    return undefined;
  }
  const { bin } = JSON.parse(readFileSync(file, 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[program]);
}

async function benchPeer({ name, checks, keeps, file: contents, args }, program, options) {
  const folder = mkdtempSync(join(options.folder, 'peer-'));
  const file = join(folder, 'peer.json');
  const [port, controlPort] = [await freePort(), await freePort()];
  writeFileSync(file, JSON.stringify(contents({ port })));
  const address = `http://127.0.0.1:${port}`;
  const server = await startServer([program, ...args({ file, folder, port, controlPort }).map(String)], { address });
  const url = `${address}/pay`;
  const { text } = await call(url, 'POST', BODY);
  const { value, note } = await compareWithExpress(options, url, { body: BODY }, Buffer.byteLength(text));
  const memory = server.memory();
  await server.stop();
  return {
    name: `${name}, relative to bare Express`,
    value,
    note: `${note}; checks ${checks}; keeps ${keeps}; ${memory.toFixed(0)} MB resident after it`,
  };
}

function countPayments() {
  const headers = JSON.stringify({ 'Content-Type': 'application/json', Connection: 'keep-alive' });
  return `(config) => {
    config.state.payments = (config.state.payments ?? 0) + 1;
    return { statusCode: JSON.parse(config.request.body).merchantId ? 200 : 400, headers: ${headers}, body: '${JSON.stringify(ANSWER)}' };
  }`;
}

function openApi() {
  const payment = JSON.parse(BODY);
  const properties = Object.fromEntries(Object.entries(payment).map(([name, value]) => [name, { type: typeof value }]));
  const schema = { type: 'object', required: Object.keys(payment), properties };
  return {
    openapi: '3.0.3',
    info: { title: 'Payments', version: '1' },
    paths: {
      '/pay': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 200: { description: 'Accepted', content: { 'application/json': { example: ANSWER } } } },
        },
      },
    },
  };
}

/** An environment as Mockoon's own editor saves it, without optional members. */
function mockoonEnvironment({ port }) {
  const response = {
    uuid: 'response',
    statusCode: 201,
    bodyType: 'DATABUCKET',
    databucketID: 'paym',
    crudKey: 'id',
    default: true,
  };
  return {
    uuid: 'environment',
    lastMigration: 33,
    name: 'Payments',
    port,
    hostname: '127.0.0.1',
    routes: [{ uuid: 'route', type: 'crud', endpoint: 'pay', responses: [response] }],
    rootChildren: [{ type: 'route', uuid: 'route' }],
    data: [{ uuid: 'data', id: 'paym', name: 'Payments', value: '[]' }],
  };
}
