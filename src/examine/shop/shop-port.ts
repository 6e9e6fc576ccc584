import { freePort } from '../../base/free-port.ts';
import { AdapterError } from './adapter.ts';
import type { ShopCommand } from './shop-process.ts';

const PORT_PLACEHOLDER = '{port}';

type StartableShop = { [Name in 'command' | 'app']: string | undefined } & Pick<ShopCommand, 'environment'>;

/** Chooses a free port for a shop whose address asks for one; the shop finds it in its command and in PORT. Throws AdapterError. */
export async function choosePort<Given extends StartableShop>(shop: Given): Promise<Given> {
  const { command, app, environment } = shop;
  if (!app?.includes(PORT_PLACEHOLDER)) {
    return shop;
  }
  if (command === undefined) {
    throw new AdapterError(`${PORT_PLACEHOLDER} in the address of the shop is for a shop that --command starts`);
  }
  const port = String(await freePort());
  const fillIn = (text: string) => text.replaceAll(PORT_PLACEHOLDER, port);
  return { ...shop, command: fillIn(command), app: fillIn(app), environment: { ...environment, PORT: port } };
}
