// A client that creates, uses, resets and deletes its own session. If a call is not answered, it continues with another session,
// because the call may still take effect.
import { setTimeout as delay } from 'node:timers/promises';
import { control, isUnanswered, pay, send } from './calls.mjs';

const MAX_PAUSE_MS = 300;

class SessionAbandoned extends Error {}

/** `figures.turnovers` counts sessions that were used to the end. */
export async function turnOver(name, { nodes, history, random, figures }, isOver) {
  for (let round = 1; !isOver(); round += 1) {
    const session = `${name}-${round}`;
    try {
      await useSession(session, { nodes, history, random });
      figures.turnovers += 1;
    } catch (error) {
      if (!(error instanceof SessionAbandoned)) {
        throw error;
      }
    }
    await delay(random.below(MAX_PAUSE_MS));
  }
}

async function useSession(session, { nodes, history, random }) {
  const call = async (action, expected, callOn) => {
    const answer = await callOn(random.oneOf(nodes));
    if (isUnanswered(answer)) {
      throw new SessionAbandoned(action);
    }
    if (answer.status !== expected) {
      history.addViolation(`session ${session}: ${action} was answered with ${answer.status}: ${answer.text}`);
      throw new SessionAbandoned(action);
    }
    return answer.text;
  };
  const create = () =>
    call('creating it', 200, ({ url }) =>
      send(`${url}/_sandbox/sessions`, 'POST', {
        headers: { 'x-sandbox-session': session },
        body: JSON.stringify({ name: session }),
      }),
    );
  const payAll = async (references) => {
    for (const reference of references) {
      await call('a payment', 200, (node) => pay(node, session, { reference, amount: '10.00' }));
    }
  };
  const expectPayments = async (when, expected) => {
    const { items } = JSON.parse(
      await call(`a list ${when}`, 200, (node) => control(node, session, 'GET', '/payments?order=oldest')),
    );
    const actual = items.map(({ id, payerReference }) => `${id} ${payerReference}`);
    const wanted = expected.map((reference, index) => `payment-${index + 1} ${reference}`);
    if (actual.join() !== wanted.join()) {
      history.addViolation(
        `session ${session} ${when}: it has ${actual.join() || 'nothing'}, not ${wanted.join() || 'nothing'}`,
      );
    }
  };
  await create();
  await payAll(['one', 'two']);
  await expectPayments('after two payments', ['one', 'two']);
  await call('a reset', 200, (node) => control(node, session, 'POST', '/reset'));
  await expectPayments('after a reset', []);
  await payAll(['three']);
  await expectPayments('after a payment', ['three']);
  await call('deleting it', 204, ({ url }) => send(`${url}/_sandbox/sessions/${session}`, 'DELETE'));
  await call('a list of the deleted session', 404, (node) => control(node, session, 'GET', '/payments'));
  await create();
  await expectPayments('created again', []);
  await call('deleting it', 204, ({ url }) => send(`${url}/_sandbox/sessions/${session}`, 'DELETE'));
}
