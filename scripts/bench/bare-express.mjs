// The yardstick: Express 5 that parses the body and sends an answer of a given size, and does nothing else.
import express from 'express';

const size = Number(process.argv[2]);
const answer = JSON.stringify({ answer: 'x'.repeat(Math.max(0, size - 13)) });

const app = express();
app.use(express.json());
app.post('/pay', (request, response) => {
  if (!request.body.merchantId) {
    response.status(400);
  }
  response.type('application/json').send(answer);
});
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
