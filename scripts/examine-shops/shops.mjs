// Correct shops, each in a different language or architecture.
import { spawnSync } from 'node:child_process';

/**
 * @typedef {object} Shop
 * @property {string} name
 * @property {string} adapter
 * @property {string} command
 * @property {string} [only] the situations that the tests try, if all would take too long
 * @property {boolean} [hasOwnJob] whether its reconciliation job runs by itself, too
 * @property {[program: string, ...args: string[]]} needs a program that ends with 0 if the machine can run the shop
 */

const NODE = `"${process.execPath}"`;
const PYTHON = 'python3 examples/python/shop.py';
/** Node.js runs TypeScript from 22.18 on; an older one gets the types removed. */
const TYPESCRIPT = process.features.typescript
  ? `${NODE} examples/typescript/shop.ts`
  : `node_modules/.bin/esbuild examples/typescript/shop.ts --log-level=error | ${NODE} --input-type=module -`;
/** The libraries of Java, by default in the folder of Debian. */
const JARS = process.env['JARS'] ?? '/usr/share/java/*';

/** @type {Record<string, Shop['needs']>} */
const NEEDS = {
  node: [process.execPath, '--version'],
  python: ['python3', '-c', 'import flask, requests'],
  php: ['php', '-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'],
  java: ['javap', '-cp', JARS, 'com.fasterxml.jackson.databind.ObjectMapper'],
  go: ['go', 'version'],
};

/** The situations in which shops fail most often; to try all takes minutes. */
const COMMON_SITUATIONS = [
  'paid,failed,expired,paid-after-expiry,notified-twice,notified-never,forged-unsigned,answer-lost,query-refused,refunded',
  'late-failure,partly-refunded,partly-refunded-twice,partly-charged-back,chargeback-won',
  'equal-orders-at-once,equal-order-first-paid,equal-order-last-paid,many-open-one-unknown',
].join(',');

/** @type {readonly Shop[]} the shops in examples/ that share an adapter */
export const GALLERY = [
  { name: 'typescript', command: TYPESCRIPT, needs: NEEDS['node'] },
  { name: 'python', command: PYTHON, only: COMMON_SITUATIONS, needs: NEEDS['python'] },
  { name: 'php', command: 'sh examples/php/start.sh', only: COMMON_SITUATIONS, needs: NEEDS['php'] },
  {
    name: 'java',
    command: `java -cp '${JARS}' examples/java/Shop.java`,
    only: COMMON_SITUATIONS,
    needs: NEEDS['java'],
  },
  { name: 'go', command: 'cd examples/go && go run .', only: COMMON_SITUATIONS, needs: NEEDS['go'] },
].map((shop) => ({ adapter: 'examples/examine.mjs', ...shop }));

/** @type {readonly Shop[]} */
export const SHOPS = [
  ...GALLERY,
  {
    name: 'python without notifications',
    adapter: 'scripts/examine-shops/without-notifications.mjs',
    command: `RECONCILE_SECONDS=1 ${PYTHON}`,
    hasOwnJob: true,
    // Only a few, because each situation waits for the shop's own job.
    only: 'paid,failed,expired,paid-after-expiry,answer-lost,query-refused,refunded,partly-refunded',
    needs: NEEDS['python'],
  },
  {
    name: 'storefront',
    adapter: 'examples/storefront/examine.mjs',
    command: `${NODE} examples/storefront/shop.mjs`,
    only: COMMON_SITUATIONS,
    needs: NEEDS['node'],
  },
  {
    name: 'the base of the faulty shops',
    adapter: 'scripts/examine-shops/shop/examine.mjs',
    command: `${NODE} scripts/examine-shops/shop/shop.mjs`,
    needs: NEEDS['node'],
  },
  {
    name: 'reconciler',
    adapter: 'test/examine/reconciler/examine.mjs',
    command: `${NODE} test/examine/reconciler/shop.mjs`,
    only: `${COMMON_SITUATIONS},shop-refunded,order-cancelled`,
    needs: NEEDS['node'],
  },
];

/** @param {Shop} shop */
export const canRun = ({ needs: [program, ...args] }) => spawnSync(program, args).status === 0;
