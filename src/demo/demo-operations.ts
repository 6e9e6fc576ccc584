import { type ControlOperation, sandboxRow } from '../server/index.ts';

/** Operations of a demo in addition to those of the control API. */
export function demoOperations({ shopUrl, reset }: { shopUrl: string; reset(): Promise<void> }): ControlOperation[] {
  return [
    sandboxRow({
      name: 'getDemo',
      summary: 'Get the demo',
      description: 'The address of the demo shop.',
      method: 'GET',
      path: '/demo',
      response: { mediaType: 'application/json', schema: null },
      handle: async () => ({ shop: shopUrl }),
    }),
    sandboxRow({
      name: 'resetDemo',
      summary: 'Reset the demo',
      description: 'Resets the session `default` and the shop to their initial state, and answers when both are ready.',
      method: 'POST',
      path: '/demo/reset',
      response: null,
      handle: () => reset(),
    }),
  ];
}
