import { httpCall } from '../../client/http-call.ts';

/** A form of a page: its target, and its hidden fields. */
interface Form {
  action: string;
  fields: Record<string, string>;
}

const PIN = '1234';
const WRONG_PIN = '0000';
const ONE_TIME_CODE = '123456';

/** How a payer ends a payment: `cancels` or `pays`; at a prompt also `wrong-pin`; at a card checkout a test card's id instead of `pays`. */
export type PayerChoice = string;

/** The payer's side of the week: opens pages and sends their forms, as a browser would. */
export class PayerPages {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  answerQrCode = (paymentCode: string, ending: PayerChoice) =>
    this.#decide(`${this.#baseUrl}/pay/approve/${paymentCode}`, ending === 'cancels' ? 'cancel' : 'approve');

  /** Answers the newest prompt of a phone. */
  async answerPrompt(mobile: string, ending: PayerChoice): Promise<void> {
    const phone = `${this.#baseUrl}/pay/phone/${mobile}`;
    if (ending === 'cancels') {
      await this.#decide(phone, 'cancel');
      return;
    }
    for (const pin of ending === 'wrong-pin' ? [WRONG_PIN, WRONG_PIN, WRONG_PIN] : [PIN]) {
      await this.#fill(phone, { action: 'confirm', pin });
    }
  }

  /** Completes a card checkout, with 3-D Secure if the card requires that, or cancels it. */
  async checkOut(redirectUrl: string, card: string): Promise<void> {
    const next = await this.#fill(redirectUrl, card === 'cancels' ? { action: 'cancel' } : { testCard: card });
    if (next.includes('/checkout/challenge')) {
      await this.#fill(next, { action: 'confirm', oneTimeCode: ONE_TIME_CODE });
    }
  }

  scan = (scanUrl: string) => this.#decide(scanUrl, 'approve');

  /** Pays by a payment link, and then on the page that it leads to. */
  async payLink(linkUrl: string, fields: Record<string, string>, ending: PayerChoice): Promise<void> {
    const next = await this.#fill(linkUrl, { ...fields, action: 'pay' });
    if (next.includes('/checkout')) {
      await this.checkOut(next, ending);
    } else if (next.includes('/phone/')) {
      await this.answerPrompt(next.slice(next.lastIndexOf('/') + 1), ending);
    } else {
      await this.#decide(next, ending === 'cancels' ? 'cancel' : 'approve');
    }
  }

  async #decide(url: string, action: string): Promise<void> {
    await this.#fill(url, { action });
  }

  /** Submits the form of a page. Resolves with the address that the answer redirects to. */
  async #fill(url: string, fields: Record<string, string>): Promise<string> {
    const page = await httpCall(url, { headers: {} });
    const form = formIn(page.text, url);
    const answer = await httpCall(form.action, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form.fields, ...fields }).toString(),
    });
    return new URL(answer.headers.location ?? '', form.action).href;
  }
}

/** The first form of a page. Throws Error if the page has no form. */
function formIn(page: string, url: string): Form {
  const [, action, content] = /<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(page) ?? [];
  if (action === undefined || content === undefined) {
    throw new Error(`${url} has no form`);
  }
  const hiddenFields = content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...hiddenFields].map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  return { action: new URL(unescapeHtml(action), url).href, fields };
}

const unescapeHtml = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
