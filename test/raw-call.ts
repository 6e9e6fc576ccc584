// Raw requests, which proper HTTP clients would not send.
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Sends a text, and resolves with all that the server writes until it closes the connection; `isHalfClosed` closes the client's side at once. */
export function rawCall(url: string, text: string, { isHalfClosed = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, protocol } = new URL(url);
    const target = { port: Number(port), host: '127.0.0.1', allowHalfOpen: true };
    const socket = protocol === 'https:' ? connectSecurely({ ...target, rejectUnauthorized: false }) : connect(target);
    let answer = '';
    socket.on('error', reject).on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('end', () => {
      socket.destroy();
      resolve(answer);
    });
    socket.write(text, 'latin1');
    if (isHalfClosed) {
      socket.end();
    }
  });
}

/** An answer without the parts that vary: its date, the id of the call, and interim answers. */
export function withoutVaryingParts(answer: string): string {
  return answer.replace(/^(Date|X-Sandbox-Request): .*\r\n/gim, '').replaceAll('HTTP/1.1 102 Processing\r\n\r\n', '');
}
