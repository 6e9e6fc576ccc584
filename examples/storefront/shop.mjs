import { createServer } from 'node:http';

createServer((q, s) => {
  q.resume();
  s.writeHead(204).end();
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('there'));
