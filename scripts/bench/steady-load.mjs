// Sends payments at a steady rate, in a separate process. Each is sent when it is due, even if others take long, and its time counts
// from then on. (autocannon, given a rate, sends each second's requests as fast as possible and then pauses.) Prints its result as
// JSON after the given seconds, or when it is asked to stop.
import { connect } from 'node:net';

const { url, body, rate, seconds = Number.POSITIVE_INFINITY, connections = 10 } = JSON.parse(process.argv[2]);
const { host, hostname, port, pathname } = new URL(url);
const interval = 1000 / rate;
const times = [];
const duePayments = [];
const free = [];
let [sent, failed, hasEnded] = [0, 0, false];

function requestOf(number) {
  const text = body.replaceAll('[<id>]', `${process.pid}-${number}`);
  const length = Buffer.byteLength(text);
  return `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`;
}

/** Length of an answer; the head must have arrived in one piece, as servers send it. */
function sizeOf(chunk) {
  const text = chunk.toString('latin1');
  return text.indexOf('\r\n\r\n') + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
}

async function openConnection() {
  const socket = connect(Number(port), hostname);
  socket.setNoDelay();
  let [due, received, size] = [0, 0, 0];
  socket.on('data', (chunk) => {
    if (received === 0) {
      size = sizeOf(chunk);
      failed += chunk.toString('latin1', 9, 10) === '2' ? 0 : 1;
    }
    received += chunk.length;
    if (received >= size) {
      times.push(performance.now() - due);
      received = 0;
      free.push(send);
      sendWaiting();
    }
  });
  socket.on('error', (error) => {
    throw error;
  });
  function send(next) {
    due = next.due;
    socket.write(requestOf(next.number));
  }
  await new Promise((resolve) => socket.once('connect', resolve));
  free.push(send);
}

/** In turn, so that no connection is idle for so long that the server closes it. */
function sendWaiting() {
  while (duePayments.length > 0 && free.length > 0) {
    free.shift()(duePayments.shift());
  }
}

function finish() {
  times.sort((one, other) => one - other);
  const percentile = (share) => times[Math.floor(times.length * share)];
  const result = { total: times.length, failed, p50: percentile(0.5), p99: percentile(0.99), longest: times.at(-1) };
  console.log(JSON.stringify(result));
  process.exit();
}

process.once('SIGTERM', () => {
  hasEnded = true;
});
await Promise.all(Array.from({ length: connections }, openConnection));
const started = performance.now();
// Checks for due payments in every turn of the event loop, because a timer is too coarse.
function turn() {
  const now = performance.now();
  hasEnded ||= now >= started + seconds * 1000;
  for (let due = started + sent * interval; due <= now && !hasEnded; due += interval) {
    duePayments.push({ due, number: sent });
    sent += 1;
  }
  sendWaiting();
  if (hasEnded && duePayments.length === 0 && free.length === connections) {
    finish();
  }
  setImmediate(turn);
}
turn();
