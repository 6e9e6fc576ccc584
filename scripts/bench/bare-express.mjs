// The yardstick: Express 5 that parses body or query, sends an answer of a given size, and does nothing else.
import express from 'express';

const size = Number(process.argv[2]);
const answer = JSON.stringify({ answer: 'x'.repeat(Math.max(0, size - 13)) });

function send(response, isComplete) {
  if (!isComplete) {
    response.status(400);
  }
  response.type('application/json').send(answer);
}

const app = express();
app.use(express.json());
app.post('/pay', (request, response) => send(response, request.body.merchantId));
app.get('/pay', (request, response) => send(response, request.query.transactionReference));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
