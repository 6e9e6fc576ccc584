import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { exampleOf, MERCHANT, PNG } from '../../interface/examples.ts';

/** Initiates a payment, and returns its paymentInitiationResponse. */
export async function pay({ baseUrl }: SandboxClient, members: object = {}): Promise<Record<string, string>> {
  const body = { ...exampleOf('requests/single-payment'), ...members };
  const { text } = await request(baseUrl).post('/init/authenticate/merchant/wallet').send(body);
  return JSON.parse(text).paymentInitiationResponse;
}

/** Creates a payment link, or updates the one with an id, and returns its address. */
export async function createLink({ baseUrl }: SandboxClient, members: Record<string, unknown> = {}): Promise<string> {
  const { token } = JSON.parse((await request(baseUrl).post('/auth/authenticate/merchant').send(MERCHANT)).text);
  const call = request(baseUrl).post('/api/merchant/fastCheckOut').set('Authorization', `Bearer ${token}`);
  const { paymentLinkImage: _, ...fields } = exampleOf('requests/payment-link', members);
  for (const [name, value] of Object.entries(fields)) {
    call.field(name, String(value));
  }
  const { text } = await call.attach('paymentLinkImage', PNG, 'picture.png');
  return JSON.parse(text).paymentLink.paymentLinkUrl;
}

/** The hidden and prefilled fields of a page's first form. */
export function fieldsOf(html: string): Record<string, string> {
  const [form = ''] = /<form.*?<\/form>/s.exec(html) ?? [];
  const inputs = [...form.matchAll(/<input [^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    /value="([^"]*)"/.exec(tag)?.[1] ?? '',
    /type="radio"/.test(tag) && !/checked/.test(tag),
  ]);
  return Object.fromEntries(inputs.filter(([, , isUnchecked]) => !isUnchecked).map(([name, value]) => [name, value]));
}

/** The text of the element with a test id; undefined without one. */
export function textById(html: string, testId: string): string | undefined {
  const [, text] = new RegExp(`data-testid="${testId}"[^>]*>([^<]*)`).exec(html) ?? [];
  return text;
}

export function addressOf(html: string, testId: string): string | undefined {
  const [tag = ''] = new RegExp(`<a [^>]*data-testid="${testId}"[^>]*>`).exec(html) ?? [];
  return /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&');
}

/** Sends a page's first form with some fields changed. `page` is an address, or a path below the session's. */
export async function submit({ baseUrl }: SandboxClient, page: string, members: Record<string, string>) {
  const path = page.replace(baseUrl, '');
  const { text } = await request(baseUrl).get(path);
  return request(baseUrl)
    .post(path)
    .type('form')
    .send({ ...fieldsOf(text), ...members });
}

/** Submits the form of a link, and returns the path of the payer's next page, below the session's address. */
export async function payLink(session: SandboxClient, link: string, members: Record<string, string>): Promise<string> {
  const { headers } = await submit(session, link, members);
  return String(headers['location']).replace(new URL(session.baseUrl).pathname.replace(/\/$/, ''), '');
}
