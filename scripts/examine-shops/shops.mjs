// Shops that are right, each in a language and of an architecture of its own.

/** @type {{ name: string, adapter: string, command: string, isThere(): boolean }[]} */
export const SHOPS = [
  {
    name: 'webhook-first',
    adapter: 'examples/webhook-first/examine.mjs',
    command: `"${process.execPath}" examples/webhook-first/shop.mjs`,
    isThere: () => true,
  },
];
