// Calls to a node as clients of a cluster make them.
import { Agent, request } from 'node:http';
import { bodyOf, CHANNELS, CREDENTIALS, WALLET } from '../bench/payment.mjs';

const agent = new Agent({ keepAlive: true });
/** Longer than any pause of a node. */
const TIMEOUT_MS = 20_000;
const STATUS = '/sandbox/api/getPaymentDetails';

/**
 * Resolves with status and body. Status 0: the connection broke, so the outcome is unknown; -1: no answer in time.
 *
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
export function send(url, method, { headers = {}, body } = {}) {
  return new Promise((resolve) => {
    let isLate = false;
    const broken = (error) => resolve({ status: isLate ? -1 : 0, headers: {}, text: error.message });
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const call = request(url, { agent, method, headers: { ...type, ...headers }, timeout: TIMEOUT_MS });
    call.on('timeout', () => {
      isLate = true;
      call.destroy(new Error(`no answer in time to ${method} ${url}`));
    });
    call.on('error', broken);
    call.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', broken);
      answer.on('close', () => {
        if (answer.complete) {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        } else {
          broken(new Error('the answer broke off'));
        }
      });
    });
    call.end(body);
  });
}

/** Whether a call certainly had no effect, and is to be sent again. */
export function isRefused({ status, headers }) {
  return status === 503 && headers['retry-after'] !== undefined;
}

/** Whether the outcome of a call is unknown: the connection broke, or the sandbox says so. */
export function isUnknown({ status, text }) {
  return status === 0 || (status === 504 && text.includes('it is not known whether this call took effect'));
}

export function isUnanswered(answer) {
  return isRefused(answer) || isUnknown(answer);
}

const sessionOf = (node, session) => `${node.url}/s/${session}`;

export function pay(node, session, { reference, amount, scenario }) {
  return send(`${sessionOf(node, session)}${WALLET}`, 'POST', {
    headers: scenario === undefined ? {} : { 'x-sandbox-scenario': scenario },
    body: bodyOf({ ...CHANNELS['mobile money'], amount }, reference),
  });
}

export function askStatus(node, session, reference, token) {
  const { walletName } = CHANNELS['mobile money'];
  const query = new URLSearchParams({ transactionReference: reference, walletName });
  return send(`${sessionOf(node, session)}${STATUS}?${query}`, 'GET', {
    headers: { authorization: `Bearer ${token}` },
  });
}

export function authenticate(node, session) {
  return send(`${sessionOf(node, session)}/auth/authenticate/merchant`, 'POST', { body: JSON.stringify(CREDENTIALS) });
}

export function control(node, session, method, path, body) {
  return send(`${sessionOf(node, session)}/_sandbox${path}`, method, { body: body && JSON.stringify(body) });
}
