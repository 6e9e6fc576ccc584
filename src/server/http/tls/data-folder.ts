import { homedir } from 'node:os';
import { join } from 'node:path';
import { platform } from '../../../base/platform.ts';
import { SettingsError } from '../../config/resolve-settings.ts';

/** The sandbox's folder in the user's data. */
export function dataFolder(): string {
  return join(platform.userData(process.env, home), 'merchant-sandbox');
}

function home(): string {
  try {
    return homedir();
  } catch {
    throw new SettingsError('the user has no home folder to keep a CA in; name a folder with --tls-folder');
  }
}
