import { Refusal } from '../../base/refusal.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { deliveryJob } from '../domain/webhooks/delivery-job.ts';
import { addDeliveries } from '../domain/webhooks/outbox.ts';
import type { Sender } from '../domain/webhooks/sender.ts';
import { recordChangedPayments } from '../findings/integration/findings-in-records.ts';
import type { SessionHooks } from '../sessions/session-parts.ts';
import { Sessions } from '../sessions/sessions.ts';
import { SharedMemory } from '../sessions/shared-memory.ts';
import type { AppParts } from './entry-points.ts';
import { createJobTable } from './jobs.ts';

const MEBIBYTE = 1024 * 1024;

interface SessionsParts extends Pick<AppParts, 'settings' | 'log' | 'metrics' | 'coverage' | 'load' | 'store'> {
  fixtures: () => Fixtures;
  publicUrl: () => string;
  /** The secret of the installation. */
  key: Buffer;
  transport: Pick<Sender, 'send'>;
}

export function createSessions(parts: SessionsParts): Sessions {
  const { settings, store, key, fixtures, publicUrl } = parts;
  const { seed, ids, scenario, behaviour, now, maxSessions } = settings;
  return new Sessions(
    {
      store,
      fixtures,
      publicUrl,
      requestLogMemory: new SharedMemory(settings.requestLogSize * MEBIBYTE),
      historyMemory: new SharedMemory(settings.historySize * MEBIBYTE),
      installationKey: key,
      hooks: createHooks(parts),
    },
    { seed, ids, scenario, behaviour, now, maxSessions },
  );
}

function createHooks({ settings, log, metrics, coverage, transport, load }: SessionsParts): SessionHooks {
  return {
    onEvents: (transaction, events) => addDeliveries(transaction, events, settings.webhookUrl),
    jobs: createJobTable(deliveryJob(transport, () => load.isHigh, settings.webhookUrl)),
    onPublished: (session, events, changes) => {
      metrics.countEvents(events);
      coverage.recordCommit(session, events, changes);
      // The payments of a restored state have not changed.
      if (!events.some(({ type }) => type === 'session.restored')) {
        recordChangedPayments(session, changes);
      }
      for (const event of events) {
        log.writeEvent(session.sessionName, event);
      }
    },
    onJobFailed: (kind, recordId, error) =>
      error instanceof Refusal
        ? log.warn(`${kind} ${recordId}: ${error.message}`)
        : log.error(`${kind} ${recordId} failed`, error),
    onError: (error) => log.error('the sandbox failed', error),
  };
}
