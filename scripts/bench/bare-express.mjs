// The baseline: Express 5 that parses the body or query, and sends an answer of a given size.
import express from 'express';

const size = Number(process.argv[2]);
/** A module whose qrImage is called for each payment; default: none. */
const drawing = process.argv[3];
const { qrImage } = drawing === undefined ? {} : await import(drawing);
let payments = 0;
const answer = JSON.stringify({ answer: 'x'.repeat(Math.max(0, size - 13)) });

function send(response, isComplete) {
  if (!isComplete) {
    response.status(400);
  }
  response.type('application/json').send(answer);
}

const app = express();
app.use(express.json());
app.post('/pay', (request, response) => {
  payments += 1;
  // As long as the address of a payer's page.
  qrImage?.(`http://127.0.0.1:4100/pay/qr/${String(payments).padStart(12, '0')}`);
  send(response, request.body.merchantId);
});
app.get('/pay', (request, response) => send(response, request.query.transactionReference));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
