import type { SandboxClient } from '../../client/client.ts';
import { type Command, type Options, textOf } from '../../command/command.ts';
import type { ProbeOptions } from '../probe/probe.ts';
import { type Invocation, toArguments } from './examination-reports.ts';
import { hasOwnSecret, shopEnvironment } from './examiner.ts';
import { EXAMINATION_OPTIONS, EXIT_CODES, report, runExamination } from './run-examination.ts';

export const PROBE_COMMAND: Command = {
  name: 'probe',
  parameters: ['<webhook-url>'],
  options: [
    { flags: '--secret <secret>', help: 'secret that signs notifications [WEBHOOK_SECRET]' },
    { flags: '--reference <text>', help: 'reference of each order, such as ORDER-{n}' },
    {
      flags: '--check <address>',
      help: 'address or command, with {reference} in it, that returns { state, fulfilments, paidAmount } of an order',
    },
    ...EXAMINATION_OPTIONS,
  ],
  help: 'check that a webhook receiver accepts genuine notifications, even repeated and late, and refuses forged ones',
  details: () => EXIT_CODES,
  isUnknownOnError: true,
  skipsSandboxCheck: true,
  run: (client, [webhookUrl = ''], options) =>
    runExamination(options, async ({ baseline, ...request }) => {
      const { probe } = await import('../probe/probe.ts');
      const runningSandbox = options['isUrlGiven'] === true ? client : undefined;
      const result = await probe(receiverOf(webhookUrl, options, runningSandbox), request);
      return report(result, invocationOf(webhookUrl, options), baseline, options);
    }),
};

function invocationOf(webhookUrl: string, options: Options): Invocation {
  const url = options['isUrlGiven'] === true ? textOf(options['url']) : undefined;
  const named = ['reference', 'check'].map((name) => [name, textOf(options[name])]);
  return {
    args: ['probe', webhookUrl, ...toArguments({ ...Object.fromEntries(named), url })],
    named: [
      ['Receiver', webhookUrl],
      ['Check', textOf(options['check']) ?? 'none'],
    ],
    hasOwnSecret: textOf(options['secret']) !== undefined || hasOwnSecret(),
  };
}

export function receiverOf(webhookUrl: string, options: Options, sandbox: SandboxClient | undefined): ProbeOptions {
  return {
    webhookUrl,
    secret: textOf(options['secret']) ?? shopEnvironment().WEBHOOK_SECRET,
    reference: textOf(options['reference']),
    check: textOf(options['check']),
    runningSandbox: sandbox,
  };
}
