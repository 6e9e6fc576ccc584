import { messageOf } from '../../base/errors.ts';
import { examplePayment, nextReference } from '../../base/example-payment.ts';
import { payerPagePath } from '../../base/payer-page-path.ts';
import { qrLines } from '../../base/qr-image.ts';
import type {
  ChannelView,
  MerchantCredentials,
  MerchantView,
  PaymentView,
} from '../../base/schema/generated/control.ts';
import { guessOrList } from '../../base/text/nearest.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { httpCall } from '../../client/http-call.ts';
import { type Command, type Options, textOf, UsageError } from '../../command/command.ts';
import { indent, tableOf } from '../../command/show.ts';
import { textOfRecord } from './record-text.ts';
import { type ShownRequest, textOfRequest } from './request-text.ts';
import { addDecimals, OUTCOMES, parseOutcome } from './settle.ts';

const SINGLE_PATH = '/sandbox/init/authenticate/merchant/wallet';
const SPLIT_PATH = '/sandbox/init/authenticate/merchant/bulkWallet';
const DEFAULT_CHANNEL = 'qr-wallet';
const PAYER_MOBILE = '263770000001';
/** The time limit of the call, because a fault may prevent the answer. */
const TIMEOUT_MS = 30_000;
const PERCENTAGE = /^(.+)=(\d+(?:\.\d+)?)$/;

export const PAY_COMMAND: Command = {
  name: 'pay',
  parameters: ['[reference]'],
  options: [
    { flags: '--channel <id>', help: `channel, by its id or walletName (default: ${DEFAULT_CHANNEL})` },
    { flags: '--amount <amount>', help: 'amount (default: 10.00)' },
    { flags: '--outcome <outcome>', help: `settle it immediately: ${OUTCOMES.join(', ')}` },
    { flags: '--split <merchant=percentage,...>', help: 'split it, such as M-1001=40,M-1002=60' },
  ],
  help: 'make a payment as your code would, and show the call, the answer and the next step',
  async run(client, [reference], options) {
    const outcome = textOf(options['outcome']);
    if (outcome !== undefined && !OUTCOMES.includes(parseOutcome(outcome))) {
      throw new UsageError(`--outcome takes ${OUTCOMES.join(', ')}, not ${outcome}`);
    }
    const { call, payment } = await pay(client, reference, options);
    return payment === undefined
      ? { data: call, text: textOfRequest(call, client.baseUrl), isFailure: true }
      : { data: payment, text: await textOfPayment(client, call, payment, options) };
  },
};

/** Sends the call as an integration would, and settles its payment if the options have an outcome. A refused call has no payment. */
export async function pay(
  client: SandboxClient,
  reference: string | undefined,
  options: Options,
): Promise<{ call: ShownRequest; payment?: PaymentView }> {
  const call = await send(client, await createBody(client, reference, options));
  const id = call.events.find(({ type }) => type === 'payment.created')?.subjectId;
  if (id == null) {
    return { call };
  }
  const outcome = textOf(options['outcome']);
  const payment = await (outcome === undefined ? client.payment(id) : client.settle(id, parseOutcome<'Paid'>(outcome)));
  return { call, payment };
}

async function createBody(client: SandboxClient, reference: string | undefined, options: Options) {
  const [channels, merchants, overview] = await readFacts(client).catch(async (error) => {
    if (!(error instanceof ControlError && error.status === 404)) {
      throw error;
    }
    // The facts are read before the first call, and reading them does not create the session.
    return readFacts(await client.createSession(client.session));
  });
  const merchant = merchants.items.find(({ activated }) => activated);
  if (merchant === undefined) {
    throw new UsageError('no merchant of this sandbox is activated; see the guide on fixtures');
  }
  const credentials = await client.call<MerchantCredentials>('POST', `/merchants/${merchant.id}/credentials`);
  const channel = findChannel(channels.items, textOf(options['channel']));
  const [amount, split] = [addDecimals(textOf(options['amount'])), textOf(options['split'])];
  return {
    ...examplePayment(credentials, channel.walletName, reference ?? nextReference(overview.payments.count)),
    ...(amount === undefined ? {} : { amount }),
    profileId: merchant.profiles.find(({ mode }) => mode === 'normal')?.id ?? 1,
    ...(channel.needsMobile ? { payerMobile: PAYER_MOBILE } : {}),
    ...(split === undefined ? {} : { dynamicPaidList: parseShares(split) }),
  };
}

const readFacts = (client: SandboxClient) =>
  Promise.all([
    client.list<ChannelView>('channels', { limit: '1000' }),
    client.list<MerchantView>('merchants', { limit: '1000' }),
    client.call<{ payments: { count: number } }>('GET', '/overview'),
  ]);

function findChannel(channels: readonly ChannelView[], name = DEFAULT_CHANNEL): ChannelView {
  const channel = channels.find(({ id, walletName }) => [id, walletName].includes(name));
  if (channel === undefined) {
    const ids = channels.map(({ id }) => printable(id));
    throw new UsageError(`there is no channel ${name}${guessOrList(name, ids, 'known channels are')}`);
  }
  return channel;
}

function parseShares(split: string) {
  return split.split(',').map((share) => {
    const [, dynamicMerchantId, percentage] = PERCENTAGE.exec(share.trim()) ?? [];
    if (dynamicMerchantId === undefined) {
      throw new UsageError(`--split takes merchants with their percentages, such as M-1001=40,M-1002=60, not ${split}`);
    }
    return { dynamicMerchantId, dynamicPayoutPercentage: Number(percentage) };
  });
}

/** Sends the call, and resolves with its entry in the request log, which has the findings. */
async function send(client: SandboxClient, body: object): Promise<ShownRequest> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const call = httpCall(`${client.baseUrl}${'dynamicPaidList' in body ? SPLIT_PATH : SINGLE_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const { headers } = await call.catch((error) => {
    const reason = signal.aborted ? `within ${TIMEOUT_MS / 1000} s` : `(${messageOf(error.cause ?? error)})`;
    // The sandbox answered the calls before this one, so this one met a fault.
    throw new Error(
      `the payment request got no answer ${reason}. A fault of the scenario can do that: see merchant-sandbox requests`,
    );
  });
  return client.call<ShownRequest>('GET', `/requests/${headers['x-sandbox-request']}`);
}

async function textOfPayment(client: SandboxClient, request: ShownRequest, payment: PaymentView, options: Options) {
  return [
    `${request.method} ${client.baseUrl}${request.path}`,
    ...indent(textOfRecord(request.body as object).split('\n')),
    '',
    `${request.answer?.status} in ${request.milliseconds} ms (${request.id}): ${request.outcome}`,
    ...indent(textOfAnswer(request.answer?.body ?? '').split('\n')),
    '',
    `${payment.id} is ${payment.state}.`,
    ...(payment.state === 'Processing' ? waysToDecide(client, payment, options) : []),
    ...(await notificationLines(client, payment, options)),
  ].join('\n');
}

/** The members of the answer; its body as it is if a fault has replaced it. */
function textOfAnswer(body: string): string {
  try {
    return textOfRecord(JSON.parse(body).paymentInitiationResponse);
  } catch {
    return body === '' ? 'no body' : printableLines(body);
  }
}

/** The payer's page, and the command that decides the payment instead. */
function waysToDecide(client: SandboxClient, payment: PaymentView, options: Options): string[] {
  const page = `${client.baseUrl}${payerPagePath(payment)}`;
  const asPayer = payment.paymentCode === null ? [] : ['', ...indent(qrLines(page))];
  return [
    ...asPayer,
    '',
    `As the payer: ${page}`,
    `Or settle it: ${commandLine(`settle ${payment.id} Paid`, options)}`,
  ];
}

async function notificationLines(client: SandboxClient, { id }: PaymentView, options: Options): Promise<string[]> {
  const { endpoints } = await client.endpoints();
  if (endpoints.length === 0) {
    return [`No webhook address is set: ${commandLine('endpoints http://localhost:3000/webhook', options)}`];
  }
  const { items } = await client.deliveries({ subjectId: id });
  return items.length === 0
    ? []
    : [
        '',
        tableOf(items, ['id', 'state', 'type', 'url']).text,
        `To follow them: ${commandLine('deliveries', options)}`,
      ];
}

/** A command line for the same sandbox and session. */
function commandLine(text: string, { isUrlGiven, url, isSessionGiven, session }: Options): string {
  const address = isUrlGiven === true ? ` --url ${url}` : '';
  return `merchant-sandbox ${text}${address}${isSessionGiven === true ? ` --session ${session}` : ''}`;
}
