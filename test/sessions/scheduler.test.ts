import fc from 'fast-check';
import { Clock } from '../../src/sessions/clock.ts';
import { Agenda } from '../../src/sessions/scheduler.ts';

function agendaOf(whenDue: (id: string, dueAt: number) => Promise<void> = async () => undefined) {
  const errors: unknown[] = [];
  const clock = new Clock({ mode: 'frozen', now: 0 });
  const agenda = new Agenda(
    clock,
    (_collection, id, dueAt) => whenDue(id, dueAt),
    (error) => errors.push(error),
  );
  return { clock, agenda, errors };
}

it('runs what is due in order of time, then of arrival, with the clock at each moment, and nothing that is not due', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 60 }),
      async (dues, until) => {
        const done: [number, number][] = [];
        const { clock, agenda } = agendaOf(async (id, dueAt) => {
          expect(clock.now()).toBe(dueAt);
          done.push([dueAt, Number(id)]);
        });
        dues.forEach((dueAt, index) => {
          agenda.add('payments', String(index), dueAt);
        });
        await agenda.runUntil(until, true);
        const expected = dues
          .map((dueAt, index): [number, number] => [dueAt, index])
          .filter(([due]) => due <= until)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(done).toEqual(expected);
      },
    ),
  );
});

it('runs in the same go what due work brings about, where that is due as well', async () => {
  const done: string[] = [];
  const { agenda } = agendaOf(async (id, dueAt) => {
    done.push(`${id}@${dueAt}`);
    if (done.length < 5) {
      agenda.add('payments', id, dueAt + 10);
    }
  });
  agenda.add('payments', 'charge', 10);
  await agenda.runUntil(30, true);
  expect(done).toEqual(['charge@10', 'charge@20', 'charge@30']);
});

it('tells of work that fails and goes on with the rest', async () => {
  const done: string[] = [];
  const { agenda, errors } = agendaOf(async (id) => {
    done.push(id);
    if (id === 'bad') {
      throw new Error('failed');
    }
  });
  agenda.add('payments', 'bad', 1);
  agenda.add('payments', 'good', 2);
  await agenda.runUntil(5, true);
  expect(done).toEqual(['bad', 'good']);
  expect(errors).toHaveLength(1);
});

it('moves on for a delivery that waits for time itself, and is over only when that is', async () => {
  const done: number[] = [];
  const clock = new Clock({ mode: 'frozen', now: 0 });
  const agenda: Agenda = new Agenda(
    clock,
    async () => {
      await Promise.resolve();
      await agenda.wait(3);
      done.push(clock.now());
    },
    () => undefined,
  );
  agenda.add('deliveries', 'slow', 1);
  await agenda.runUntil(10, true);
  expect(done).toEqual([4]);
});

it('lets go of whoever waits when it closes', async () => {
  const { agenda } = agendaOf();
  const waiting = agenda.wait(1000);
  await agenda.close();
  await expect(waiting).resolves.toBeUndefined();
});
