// A merchant's receiver that accepts notifications, fails, or never answers, depending on the path. Any other path measures latency.
import { createServer } from 'node:http';

export async function startReceiver() {
  const received = { ok: 0, failing: 0, hanging: 0 };
  const server = createServer((request, response) => {
    const kind = request.url.slice(1);
    request.resume().on('end', () => {
      if (kind in received) {
        received[kind] += 1;
      }
      if (kind !== 'hanging') {
        response.writeHead(kind === 'failing' ? 500 : 204).end();
      }
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
