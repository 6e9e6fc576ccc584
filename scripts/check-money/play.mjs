// Plays a history through the API of a session, and fetches all that a merchant and the control API can fetch.
import { SOURCES } from './sources.mjs';

const BANK = { name: 'First Sandbox Bank', code: 'FSBKZZ22' };
const PREFIX = { true: '/sandbox', false: '' };

/** Calls to one session. Answers are stored unchanged, because the model judges them. */
function callsOf(base) {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: () => JSON.parse(text) };
  };
}

const decimal = (minor) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

const keysOf = (merchant) => ({
  merchantId: merchant,
  merchantApiKey: `test-api-key-${merchant.slice(2)}`,
  merchantKey: `test-merchant-key-${merchant.slice(2)}`,
});

/** The call of each step: method, path, body, headers. `state` counts the existing records. */
const CALLS = {
  pay(step, state) {
    state.payments += 1;
    const { split } = step;
    const receivers = ['M-1000', 'M-1001', 'M-1002'];
    return {
      method: 'POST',
      path: `${PREFIX[step.isSandbox]}/init/authenticate/merchant/${split ? 'bulkWallet' : 'wallet'}`,
      body: {
        ...keysOf(step.merchant),
        walletName: step.channel,
        amount: decimal(step.amount),
        paymentCurrency: state.currencies.includes(step.currency) ? step.currency : 'USD',
        paymentDescription: 'An order',
        payerName: 'Ann Payer',
        payerReference: step.reference ?? `ORDER-${state.payments}`,
        payerAccountId: 7,
        profileId: step.isTest ? 2 : 1,
        ...(step.channel === 'WALLET_MOBILE' && { payerMobile: '263770000001' }),
        ...(split && {
          dynamicPaidList: split.percentages.map((dynamicPayoutPercentage, at) => ({
            dynamicMerchantId: receivers[(split.first + at) % 3],
            dynamicPayoutPercentage,
          })),
        }),
      },
      headers: step.ending === null ? {} : { 'x-sandbox-scenario': step.ending },
    };
  },
  payout(step, state) {
    state.payouts += 1;
    return {
      method: 'POST',
      path: '/init/authenticate/merchant/bulkPayment',
      body: {
        ...keysOf(step.merchant),
        debitTotalAmount: step.credits.reduce((sum, { amount }) => sum + amount, 0) / 100,
        debitPaymentCurrency: 'USD',
        paymentDescription: 'Salaries',
        debitBankName: BANK.name,
        debitBankBICCode: BANK.code,
        debitAccountNumber: step.debited,
        debitAccountName: 'Sandbox Merchant',
        payerName: 'Sandbox Merchant',
        payerReference: `PAYOUT-${state.payouts % 3}`,
        payerBankReference: 'BANK-REF-1',
        dynamicCreditList: step.credits.map(({ account, amount }) => ({
          creditBankName: BANK.name,
          creditBankBICCode: BANK.code,
          creditAccountNumber: account,
          creditAccountName: 'A receiver',
          creditAmount: amount / 100,
        })),
      },
    };
  },
  settle: ({ which, outcome }, { payments }) =>
    payments === 0 ? null : control('POST', `/payments/payment-${payments - (which % payments)}/settle`, { outcome }),
  adjust({ which, kind, permille }, state) {
    if (state.payments === 0) {
      return null;
    }
    const number = state.payments - (which % state.payments);
    const amount = permille === null ? undefined : Math.ceil((state.amounts[number - 1] * permille) / 1000);
    const body = amount === undefined ? { kind } : { kind, amount: decimal(amount) };
    return control('POST', `/payments/payment-${number}/adjustments`, body);
  },
  settleCredit: ({ which, number, outcome }, { payouts }) =>
    payouts === 0
      ? null
      : control('POST', `/payouts/payout-${payouts - (which % payouts)}/credits/${number}/settle`, { outcome }),
  close: () => control('POST', '/settlements/close', {}),
  advance: ({ by }) => control('POST', '/clock/advance', { by }),
  scenario: () => control('PUT', '/scenario', { name: 'mistakes' }),
  shippedMistakes: ({ name }) => control('PUT', '/scenario', { name }),
  noMistakes: () => control('PUT', '/scenario', { name: 'payer-decides' }),
};

const control = (method, path, body) => ({ method, path: `/_sandbox${path}`, body });

/** Steps that must read a record first. */
const READING_STEPS = {
  async toCutOff({ milliseconds }, call) {
    const open = await call('GET', '/_sandbox/settlements?state=Open&order=oldest&limit=1');
    const [settlement] = open.json().items;
    const now = settlement && new Date(Date.parse(settlement.cutOff) + milliseconds).toISOString();
    return now ? control('PUT', '/clock', { mode: 'frozen', now }) : null;
  },
  async returnTransfer({ which }, call) {
    const { items } = (await call('GET', '/_sandbox/settlements?state=Paid&limit=10')).json();
    const settlement = items[which % Math.max(1, items.length)];
    return settlement ? control('POST', `/settlements/${settlement.id}/return`, { code: 'AC04' }) : null;
  },
  async setBack({ hours }, call) {
    const clock = await call('GET', '/_sandbox/clock');
    const now = new Date(Date.parse(clock.json().now) - hours * 3_600_000).toISOString();
    return control('PUT', '/clock', { mode: 'frozen', now });
  },
  async scenario({ kinds, bank, totals }, call) {
    const rules = [{ when: { operation: 'closeSettlement' }, mismatches: { kinds, bank, totals } }];
    await call('PUT', '/_sandbox/scenarios/mistakes', { name: 'mistakes', description: 'Mistakes.', rules });
    return CALLS.scenario();
  },
};

/** Plays the steps in a new session, which is deleted at the end. Returns the calls and all data of the session. */
export async function play(history, sandbox, currencies) {
  const name = `history-${history.seed}`;
  const call = callsOf(sandbox.sessionUrl(name));
  const creation = await callsOf(sandbox.url)('POST', '/_sandbox/sessions', {
    name,
    seed: history.seed,
    now: history.start,
    scenario: history.scenario,
  });
  if (creation.status >= 300) {
    throw new Error(`no session: ${creation.text}`);
  }
  const state = { payments: 0, payouts: 0, amounts: [], currencies };
  const asked = [];
  const last = history.runsOut ? [{ step: 'advance', by: 'P12D' }] : [];
  for (const step of [...history.steps, ...last]) {
    const before = { payments: state.payments, payouts: state.payouts };
    const request = await (READING_STEPS[step.step] ?? CALLS[step.step])(step, READING_STEPS[step.step] ? call : state);
    if (request === null) {
      continue;
    }
    const { status, text } = await call(request.method, request.path, request.body, request.headers);
    if (status >= 500) {
      throw new Error(`${request.method} ${request.path} answered ${status}: ${text}`);
    }
    if (status >= 300) {
      // Refused calls do not count.
      Object.assign(state, before);
    } else if (step.step === 'pay') {
      state.amounts.push(step.amount);
    }
    asked.push({
      step: step.step,
      path: request.path,
      body: request.body ?? null,
      scenario: request.headers?.['x-sandbox-scenario'] ?? null,
      status,
    });
  }
  const fetched = await fetchAll(call);
  await callsOf(sandbox.url)('DELETE', `/_sandbox/sessions/${name}`);
  return { seed: history.seed, terms: history.terms, start: history.start, asked, ...fetched };
}

/** All sources, also for each closed settlement and each monthly invoice: JSON as its value, other formats as text. */
async function fetchAll(call) {
  const read = async ({ path, format }) => {
    const answer = await call('GET', path);
    const isJson = format === 'json' || format === 'list';
    if (isJson && answer.status >= 500 && !path.includes('/ledger/check')) {
      throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    }
    return isJson ? answer.json() : answer.text;
  };
  const readAll = async (sources, of) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(sources).map(async ([name, { path, format }]) => [name, await read({ path: path(of), format })]),
      ),
    );
  const fetched = {};
  for (const [name, source] of Object.entries(SOURCES.session)) {
    const value = await read(source);
    if (source.format === 'list' && value.nextCursor !== null) {
      throw new Error(`GET ${source.path} has a second page, which the model would not see`);
    }
    fetched[name] = source.format === 'list' ? value.items : value;
  }
  const closed = fetched.settlements.filter(({ totals }) => totals !== null);
  fetched.files = Object.fromEntries(
    await Promise.all(closed.map(async ({ id }) => [id, await readAll(SOURCES.settlement, id)])),
  );
  const months = new Set(fetched.settlements.map(({ businessDate }) => businessDate.slice(0, 7)));
  const invoices = fetched.balances.flatMap(({ merchantId, environment, currency }) =>
    [...months].map((month) => ({ merchantId, environment, currency, month })),
  );
  fetched.invoices = await Promise.all(
    invoices.map(async (of) => ({ ...of, ...(await readAll(SOURCES.invoice, of)) })),
  );
  return fetched;
}
