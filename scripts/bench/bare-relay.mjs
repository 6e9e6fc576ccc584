// A server that only forwards each request to an address: the minimum cost of a call through another process.
import { Agent, createServer, request as send } from 'node:http';
import { pipeline } from 'node:stream';

const { hostname, port } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const outgoing = send({ hostname, port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    pipeline(answer, response, () => undefined);
  });
  pipeline(incoming, outgoing, () => undefined);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
