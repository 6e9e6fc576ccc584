import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();
const app = express();

// The signature covers the raw bytes, so they are not parsed before it is checked.
app.post('/webhook', express.raw({ type: '*/*' }), (request, response) => {
  let notification;
  try {
    notification = webhook.verify(request.body, request.headers);
  } catch {
    response.status(400).end();
    return;
  }
  // A notification may arrive again. The same webhook-id is the same notification.
  if (!seen.has(request.headers['webhook-id'])) {
    seen.add(request.headers['webhook-id']);
    console.log(`${notification.paymentReference} is ${notification.status}`);
  }
  response.status(204).end();
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/webhook`);
});
