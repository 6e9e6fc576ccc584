// Correct shops, each in a different language and architecture.
import { spawnSync } from 'node:child_process';

/**
 * @typedef {object} Shop
 * @property {string} name its folder in examples/
 * @property {string} command the command that starts it
 * @property {[program: string, ...args: string[]]} needs a program that ends with 0 if the machine can run the shop
 */

/** @type {Shop[]} */
export const SHOPS = [
  {
    name: 'webhook-first',
    command: `"${process.execPath}" examples/webhook-first/shop.mjs`,
    needs: [process.execPath, '--version'],
  },
  {
    name: 'storefront',
    command: `"${process.execPath}" examples/storefront/shop.mjs`,
    needs: [process.execPath, '--version'],
  },
  { name: 'polling', command: 'python3 examples/polling/shop.py', needs: ['python3', '--version'] },
  {
    name: 'queue-worker',
    command: 'sh examples/queue-worker/start.sh',
    needs: ['php', '-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'],
  },
  {
    name: 'reconciler',
    command: `"${process.execPath}" examples/reconciler/shop.mjs`,
    needs: [process.execPath, '--version'],
  },
];

/** @param {Shop} shop */
export const adapterOf = ({ name }) => `examples/${name}/examine.mjs`;

/** @param {Shop} shop */
export const canRun = ({ needs: [program, ...args] }) => spawnSync(program, args).status === 0;
