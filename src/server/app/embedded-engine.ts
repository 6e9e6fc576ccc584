import { resolve } from 'node:path';
import { checkState } from '../domain/restored-state/check-state.ts';
import { openStore } from '../store/file/embedded-store.ts';
import { loadOrCreateInstallationKey } from '../store/installation-key.ts';
import type { StoreEngine } from './store-engine.ts';

/** Keeps all data in memory and, unless `--data` is `:memory:`, also in a file with a journal. */
export const EMBEDDED_ENGINE: StoreEngine = {
  forms: 'a file, :memory:',
  // An address with an unknown scheme would otherwise become a folder of that name.
  accepts: (data) => !/^[a-z][a-z\d+.-]+:\//i.test(data),
  withoutSecrets: (data) => (data === ':memory:' ? data : resolve(data)),
  async open({ settings: { data, syncToDisk, withoutSession }, fixtures, log, listener }) {
    const store = await openStore({
      file: data,
      syncToDisk,
      withoutSessions: withoutSession,
      checkEdited: (session) => checkState(session, fixtures),
      onWarning: (message) => log.warn(message),
      onRecovered() {
        log.info('changes are saved again');
        listener.onRecovered();
      },
    });
    try {
      return { store, key: loadOrCreateInstallationKey(data) };
    } catch (error) {
      await store.close();
      throw error;
    }
  },
};
