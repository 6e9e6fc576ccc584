import { connect } from 'node:net';
import fc from 'fast-check';
import { whenOverdue } from './hang.ts';

/** Random bytes, and requests with lines that no client library would send. */
export const rawBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'get', 'CONNECT', 'PRI', ''),
      fc.oneof(fc.constantFrom('/pay/phone', '/_sandbox/state', '*', 'http://a/b', '//', '/s/'), fc.string()),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
      fc.array(
        fc.oneof(
          fc.constantFrom('Host: a', 'Content-Length: -1', 'Content-Length: 5\r\nContent-Length: 6', ': a'),
          fc.constantFrom('Transfer-Encoding: x', 'Transfer-Encoding: chunked\r\n\r\nzz', 'Expect: 100-continue'),
          fc.constantFrom('Connection: Upgrade\r\nUpgrade: websocket', `X: ${'x'.repeat(20_000)}`),
          fc.string(),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([method, path, version, lines]) =>
      Buffer.from(`${method} ${path} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`),
    ),
);

/** Sends bytes that may not be a valid request, closes the client's side, and resolves with the answer. */
export function answerTo(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const cancel = whenOverdue(reject);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // A connection that the sandbox closes counts as an answer; one that it does not accept is a failure.
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED' && reject(error));
    socket.on('close', () => {
      cancel();
      resolve(answer);
    });
  });
}
