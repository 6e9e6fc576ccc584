import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { SettingsError } from '../../config/resolve-settings.ts';

/**
 * The sandbox's folder in the user's data, by the platform's convention. On Windows it is the local one, because the roaming
 * folder is copied to every machine that the user logs on to, and a private key must not be.
 */
export function dataFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  return join(baseOf(environment, platform), 'merchant-sandbox');
}

function baseOf(environment: Readonly<Record<string, string | undefined>>, platform: string): string {
  switch (platform) {
    case 'win32':
      return given(environment['LOCALAPPDATA']) ?? join(home(), 'AppData', 'Local');
    case 'darwin':
      return join(home(), 'Library', 'Application Support');
    default:
      return given(environment['XDG_DATA_HOME']) ?? join(home(), '.local', 'share');
  }
}

/** Empty and relative values count as not set, as the XDG Base Directory Specification requires. */
function given(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

function home(): string {
  try {
    return homedir();
  } catch {
    throw new SettingsError('the user has no home folder to keep a CA in; name a folder with --tls-folder');
  }
}
