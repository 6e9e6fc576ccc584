import request from 'supertest';
import type { Operation } from '../../src/server/merchant-api/operation.ts';
import { exampleOf, PNG } from './examples.ts';

export async function tokenOf(base: string, number = 1000): Promise<string> {
  const answer = await request(base).post('/auth/authenticate/merchant').send(credentials(number));
  return JSON.parse(answer.text).token;
}

export async function post(path: string, body: object, base: string, token?: string) {
  const call = request(base).post(path).send(body);
  const answer = await (token === undefined ? call : call.set('Authorization', `Bearer ${token}`));
  const content = JSON.parse(answer.text);
  const message = content.auth?.errorResponse.errorMessage ?? content.message ?? content.errorMessage;
  return { status: answer.status, message: String(message), body: content };
}

/** The paths in a message, in the order of the message. */
export const pathsIn = (message: string) => message.split('; ').map((sentence) => sentence.split(':')[0]);

export const single = (members: object = {}) => exampleOf('requests/single-payment', { ...members });

/** The credentials of a shipped merchant, by its number. */
export function credentials(number: number) {
  return {
    merchantId: `M-${number}`,
    merchantApiKey: `test-api-key-${number}`,
    merchantKey: `test-merchant-key-${number}`,
  };
}

export async function saveLink(base: string, token: string, path: string, members: Record<string, string> = {}) {
  const call = request(base).post(path).set('Authorization', `Bearer ${token}`);
  const { paymentLinkImage: _, ...body } = exampleOf('requests/payment-link', members);
  for (const [name, value] of Object.entries(body)) {
    call.field(name, String(value));
  }
  const answer = await call.attach('paymentLinkImage', PNG, { filename: 'a.png', contentType: 'image/png' });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

/** Sends an operation's example. A list in a form is sent as several parts. */
export async function send(
  base: string,
  operation: Operation,
  path: string,
  token: string,
  members: Record<string, unknown> = {},
  timeoutMs?: number,
) {
  const place = path.replace('{id}', '1');
  const call = operation.method === 'GET' ? request(base).get(place) : request(base).post(place);
  if (timeoutMs !== undefined) {
    call.timeout(timeoutMs);
  }
  if (operation.authentication !== 'none') {
    call.set('Authorization', `Bearer ${token}`);
  }
  if (operation.request === null) {
    return call;
  }
  const body = exampleOf(operation.request, members);
  if (operation.body !== 'multipart') {
    return call.set('Content-Type', 'application/json').send(JSON.stringify(body));
  }
  for (const [name, value] of Object.entries(body)) {
    for (const text of name === 'paymentLinkImage' ? [] : [value].flat()) {
      call.field(name, String(text));
    }
  }
  return call.attach('paymentLinkImage', PNG, 'picture.png');
}

/** Creates the records that an operation needs; returns the members that refer to them. */
export async function prepare(
  base: string,
  operation: Operation,
  environment: string,
  token: string,
): Promise<Record<string, unknown>> {
  const prefix = environment === 'sandbox' ? '/sandbox' : '';
  const order = (path: string, body: object) =>
    request(base).post(`${prefix}${path}`).set('Authorization', `Bearer ${token}`).send(body);
  if (operation.name === 'getPaymentStatus') {
    await order('/init/authenticate/merchant/wallet', exampleOf('requests/single-payment'));
  }
  if (operation.name !== 'addRecurringPayment' && operation.name !== 'cancelRecurringPayment') {
    return {};
  }
  const tokenAnswer = await order('/api/requestPaymentToken', exampleOf('requests/payment-token'));
  const recurringPaymentToken = JSON.parse(tokenAnswer.text).paymentToken;
  if (operation.name === 'cancelRecurringPayment') {
    await order('/api/addRecurringPayment', exampleOf('requests/recurring-payment', { recurringPaymentToken }));
  }
  return { recurringPaymentToken };
}
