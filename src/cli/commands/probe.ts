import type { Command } from './command.ts';
import { conducted, EXAMINATION_OPTIONS, EXIT_CODES, report, textOf } from './examination.ts';

/** Examines the receiver of notifications alone. */
export const PROBE_COMMAND: Command = {
  name: 'probe',
  parameters: ['<webhook-url>'],
  options: [
    { flags: '--secret <secret>', help: 'what notifications are signed with [WEBHOOK_SECRET]' },
    { flags: '--reference <text>', help: 'of the orders that are paid, counted at {n}, e.g. ORDER-{n}' },
    { flags: '--amount <amount>', help: 'of each order, e.g. 10.00; left out, drawn for each' },
    {
      flags: '--check <address>',
      help: 'what says of an order {state, fulfilments, paidAmount}: an address or a command with {reference} in it',
    },
    ...EXAMINATION_OPTIONS,
  ],
  help: 'examine a receiver of notifications alone: genuine, repeated, late, changed and forged ones',
  details: () => EXIT_CODES,
  findsSandbox: true,
  async run(client, [webhookUrl = ''], options) {
    const { probe } = await import('../../examine/probe.ts');
    const { SECRET } = await import('../../examine/merchant.ts');
    return conducted(options, async (wanted) => {
      const examined = await probe(
        {
          webhookUrl,
          secret: textOf(options['secret']) ?? process.env['WEBHOOK_SECRET'] ?? SECRET,
          reference: textOf(options['reference']),
          amount: textOf(options['amount']),
          check: textOf(options['check']),
          running: options['urlIsGiven'] === true ? client : undefined,
        },
        wanted,
      );
      return report(examined, options);
    });
  },
};
