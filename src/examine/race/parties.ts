import { isMembers } from '../../base/members.ts';
import type { DeliveryView, PaymentView, RequestView } from '../../base/schema/generated/control.ts';
import { parseUrl } from '../../base/text/url.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import { refusalOf } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { forgePaid, returnAddressIn, visit } from './browser.ts';
import { MissingSupport, NO_RETURN, NO_SECOND_ATTEMPT, RefusedAttempt } from './missing-support.ts';
import type { Party } from './schedule.ts';

/** Real milliseconds between two polls of a delivery, and the longest duration of an attempt: receivers have 15 seconds. */
const POLL_MS = 5;
const DELIVERY_TIMEOUT_MS = 20_000;
const PAGE_TIMEOUT_MS = 20_000;

const NO_ADDRESS =
  'let returnFromPayment resolve with { url }, the address that it opened, so that the examination can open it, too';

/** The action of a party for the story; undefined if the provider records it anyway. */
type Action = { who: 'browser' | 'shop'; text: string } | undefined;

/** The parties that reach the shop of one order. */
export class Parties {
  readonly #target: ExaminedShop;
  readonly #orderId: () => string | undefined;
  /** The address to which the browser returned last, without the change by `return-changed`. */
  #address: string | undefined;
  /** Deliveries that were sent: their attempts are recorded only after they have ended. */
  readonly #notifiedIds = new Set<string>();

  constructor(target: ExaminedShop, orderId: () => string | undefined) {
    this.#target = target;
    this.#orderId = orderId;
  }

  /** Lets a party act. Resolves when the shop has answered it. Rejects with MissingSupport or AdapterError. */
  act(party: Party): Promise<Action> {
    switch (party) {
      case 'notification':
        return this.#notify((deliveries) =>
          deliveries.findLast(({ id, state }) => state === 'dropped' && !this.#notifiedIds.has(id)),
        );
      case 'first-notification':
        return this.#notify(([first]) => first);
      case 'reconciler':
        return this.#reconcile();
      case 'return':
        return this.#return();
      case 'return-elsewhere':
        return this.#open('opens', (address) => address, ' in another session');
      case 'return-changed':
        return this.#open('returns to', forgePaid);
    }
  }

  /** Rejects with MissingSupport or AdapterError. */
  async payAgain(channel: string): Promise<Action> {
    const { adapter } = this.#target;
    const orderId = this.#orderId();
    if (!adapter.payAgain || orderId === undefined) {
      throw new MissingSupport(NO_SECOND_ATTEMPT);
    }
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const refusal = await refusalOf(adapter.payAgain(orderId, { channel, signal }));
    if (refusal !== undefined) {
      throw new RefusedAttempt(`the shop refused the second attempt: ${refusal}`);
    }
    return { who: 'shop', text: `accepts a second attempt to pay on ${channel}` };
  }

  async #notify(choose: (oldestFirst: readonly DeliveryView[]) => DeliveryView | undefined): Promise<Action> {
    const { client, webhook } = this.#target;
    if (!webhook) {
      throw new MissingSupport('the shop does not receive notifications');
    }
    const { items } = await client.list<DeliveryView>('webhooks/deliveries', { order: 'oldest', limit: '100' });
    const chosen = choose(items.filter(({ forgery }) => forgery === undefined));
    if (!chosen) {
      throw new MissingSupport('the provider had nothing to notify');
    }
    this.#notifiedIds.add(chosen.id);
    await client.replay(chosen.id);
    const startedAt = steadyNow();
    for (;;) {
      const now = await client.call<DeliveryView>('GET', `/webhooks/deliveries/${chosen.id}`);
      if (now.attempts.length > chosen.attempts.length || steadyNow() - startedAt > DELIVERY_TIMEOUT_MS) {
        return undefined;
      }
      await delay(POLL_MS);
    }
  }

  async #reconcile(): Promise<Action> {
    const { adapter } = this.#target;
    if (!adapter.reconcile) {
      throw new MissingSupport('the adapter does not export reconcile');
    }
    const error = await refusalOf(adapter.reconcile());
    return {
      who: 'shop',
      text: `runs its reconciliation job${error === undefined ? '' : `, which fails: ${error}`}`,
    };
  }

  async #return(): Promise<Action> {
    const { adapter, client } = this.#target;
    const orderId = this.#orderId();
    if (orderId === undefined) {
      throw new MissingSupport(
        'the shop shows no order before its payment request is answered, so a browser cannot return',
      );
    }
    const [payments, requests] = await Promise.all([
      client.list<PaymentView>('payments', { order: 'oldest' }),
      client.list<RequestView>('requests'),
    ]);
    this.#address = returnAddressIn({ payments: payments.items, requests: requests.items }, adapter) ?? this.#address;
    if (!adapter.returnFromPayment) {
      return this.#open('returns to', (address) => address, '', NO_RETURN);
    }
    const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
    const returning = adapter.returnFromPayment(orderId, { url: this.#address, signal });
    const error = await refusalOf(returning);
    const result = error === undefined ? await returning : undefined;
    if (isMembers(result) && typeof result['url'] === 'string') {
      this.#address = parseUrl(result['url'], adapter.app)?.href;
    }
    const to = this.#address === undefined ? ' to the shop' : ` to ${pathAndQueryOf(this.#address)}`;
    return { who: 'browser', text: `returns${to}${error === undefined ? '' : `, and gets an error: ${error}`}` };
  }

  /** Opens the address that `change` returns. `verb` and `where` are for the story; `missing` is the reason if no address is known. */
  async #open(verb: string, change: (address: string) => string, where = '', missing = NO_ADDRESS): Promise<Action> {
    if (this.#address === undefined) {
      throw new MissingSupport(missing);
    }
    const address = change(this.#address);
    const page = visit(address, AbortSignal.timeout(PAGE_TIMEOUT_MS));
    const error = await refusalOf(page);
    const result = error === undefined ? `gets ${(await page).statuses.join(', then ')}` : `gets no answer: ${error}`;
    return { who: 'browser', text: `${verb} ${pathAndQueryOf(address)}${where}, and ${result}` };
  }
}

function pathAndQueryOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The second channel that a payer tries. */
export function otherChannel(channel: string): string {
  return channel === 'mobile-money' ? 'card-switch' : 'mobile-money';
}
