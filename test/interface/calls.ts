import request from 'supertest';
import { exampleOf, PNG } from './examples.ts';

export async function tokenOf(base: string, number = 1000): Promise<string> {
  const answer = await request(base).post('/auth/authenticate/merchant').send(credentials(number));
  return JSON.parse(answer.text).token;
}

/** A call as a merchant makes it, with what came back. */
export async function post(path: string, body: object, base: string, token?: string) {
  const call = request(base).post(path).send(body);
  const answer = await (token === undefined ? call : call.set('Authorization', `Bearer ${token}`));
  const answered = JSON.parse(answer.text);
  const message = answered.auth?.errorResponse.errorMessage ?? answered.message ?? answered.errorMessage;
  return { status: answer.status, message: String(message), body: answered };
}

/** The paths that a message names, in its order. */
export const pathsIn = (message: string) => message.split('; ').map((sentence) => sentence.split(':')[0]);

export const single = (members: object = {}) => exampleOf('requests/single-payment', { ...members });

/** What the shipped merchant of a number is known by. */
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
