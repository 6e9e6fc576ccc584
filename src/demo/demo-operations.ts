import { type ControlOperation, sandboxRow } from '../server/index.ts';

/** Rows of a demo's control API, which no other sandbox has. */
export function demoOperations({ shopUrl, reset }: { shopUrl: string; reset(): Promise<void> }): ControlOperation[] {
  return [
    sandboxRow({
      name: 'getDemo',
      summary: 'Get the demo',
      description: 'Where the shop of the demo is.',
      method: 'GET',
      path: '/demo',
      response: { mediaType: 'application/json', schema: null },
      handle: async () => ({ shop: shopUrl }),
    }),
    sandboxRow({
      name: 'resetDemo',
      summary: 'Reset the demo',
      description: 'Back to how it began: answers once the session `default` and the shop are there again.',
      method: 'POST',
      path: '/demo/reset',
      response: null,
      handle: () => reset(),
    }),
  ];
}
