import { VERSION } from '../../../base/package.ts';
import { EventLoopDelay } from '../../../base/timers.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import type { LoggedCall } from '../../sessions/request-log.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { CollectionName, Store } from '../../store/store.ts';
import { Counter, Histogram } from './instruments.ts';
import { type Family, formatMetrics, type Sample } from './text-format.ts';

/** Upper bounds in seconds. Most calls take a few milliseconds at most, but a scenario can delay one for seconds. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of a call without an operation, an environment or a status. */
const NONE = 'none';

/** The source of gauges, which are read at each scrape. */
export interface MetricsSource {
  sessions: Pick<Sessions, 'list'>;
  store: Pick<Store, 'counts' | 'journalBytes' | 'failure'>;
}

/** Counts since the sandbox started, and sizes of the present data, over all sessions. A reset does not decrease the counts. */
export class Metrics {
  readonly #requests = new Counter('operation', 'environment', 'status');
  readonly #durations = new Histogram('operation', BUCKETS);
  readonly #events = new Counter('type');
  readonly #eventLoop = new EventLoopDelay();

  countCall({ operation, environment, status }: LoggedCall, milliseconds: number): void {
    this.#requests.increment(operation ?? NONE, environment ?? NONE, String(status ?? NONE));
    this.#durations.observe(operation ?? NONE, milliseconds / 1000);
  }

  countEvents(events: readonly SessionEvent[]): void {
    for (const { type } of events) {
      this.#events.increment(type);
    }
  }

  close(): void {
    this.#eventLoop.stop();
  }

  async text(source: MetricsSource): Promise<string> {
    return formatMetrics([...this.#countedMetrics(), ...(await dataMetrics(source)), ...this.#processMetrics()]);
  }

  #countedMetrics(): Family[] {
    return [
      {
        name: 'merchant_sandbox_requests_total',
        type: 'counter',
        help: 'Finished calls of the merchant API. The operation is none if no route matched; the status is none if there was no answer.',
        samples: this.#requests.samples(),
      },
      {
        name: 'merchant_sandbox_request_duration_seconds',
        type: 'histogram',
        help: 'Duration of calls of the merchant API, including delays caused by a scenario.',
        samples: this.#durations.samples(),
      },
      {
        name: 'merchant_sandbox_events_total',
        type: 'counter',
        help: 'Events in sessions, such as payment.paid or delivery.failed.',
        samples: this.#events.samples(),
      },
    ];
  }

  #processMetrics(): Family[] {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const delays = Object.entries(this.#eventLoop.read());
    return [
      gauge('merchant_sandbox_build_info', 'The version of the sandbox.', 1, {
        version: VERSION,
        node_version: process.version,
      }),
      {
        name: 'merchant_sandbox_event_loop_delay_seconds',
        type: 'gauge',
        help: 'How late timers were since the last scrape.',
        samples: delays.map(([statistic, value]) => ({ labels: { statistic }, value })),
      },
      gauge('merchant_sandbox_heap_used_bytes', 'Memory used by JavaScript objects.', heapUsed),
      gauge('process_resident_memory_bytes', 'Memory used by the process.', rss),
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'Processor time used by the process.',
        samples: [{ labels: {}, value: (user + system) / 1e6 }],
      },
    ];
  }
}

const RECORD_GAUGES: readonly [collection: CollectionName, name: string, help: string][] = [
  ['payments', 'merchant_sandbox_payments', 'Payments stored.'],
  ['payouts', 'merchant_sandbox_payouts', 'Payouts stored.'],
  ['recurringPayments', 'merchant_sandbox_recurring_payments', 'Recurring payments stored.'],
  ['deliveries', 'merchant_sandbox_deliveries', 'Webhook deliveries stored, by state.'],
];

async function dataMetrics({ sessions, store }: MetricsSource): Promise<Family[]> {
  const all = sessions.list();
  const jobs = all.map(({ scheduler }) => scheduler.load);
  const total = (state: 'queued' | 'running') => jobs.reduce((sum, load) => sum + load[state], 0);
  const { journalBytes, failure } = store;
  const records: Family[] = [];
  for (const [collection, name, help] of RECORD_GAUGES) {
    const counts = await store.counts(collection);
    const samples: Sample[] = counts.map(({ values, records: value }) => ({ labels: values, value }));
    records.push({ name, type: 'gauge', help, samples });
  }
  return [
    gauge('merchant_sandbox_sessions', 'Sessions.', all.length),
    ...records,
    {
      name: 'merchant_sandbox_jobs',
      type: 'gauge',
      help: 'Jobs that are scheduled or running, such as outcomes, expiries, settlements and deliveries.',
      samples: (['queued', 'running'] as const).map((state) => ({ labels: { state }, value: total(state) })),
    },
    ...(journalBytes === undefined
      ? []
      : [gauge('merchant_sandbox_journal_bytes', 'Size of the journal beside the state file.', journalBytes)]),
    gauge(
      'merchant_sandbox_storage_degraded',
      '1 while changes cannot be saved, else 0.',
      failure === undefined ? 0 : 1,
    ),
  ];
}

function gauge(name: string, help: string, value: number, labels: Record<string, string> = {}): Family {
  return { name, type: 'gauge', help, samples: [{ labels, value }] };
}
