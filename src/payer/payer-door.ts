import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../refusal.ts';
import { PAYER_PATHS } from '../session/addresses.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Target } from '../session/target.ts';

export type PayerDoor = (target: Target, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** DOOR 2: the payer. Serves what the addresses in answers lead to. */
export function payerDoor(sessions: Sessions, onError: (error: unknown) => void): PayerDoor {
  return async (target, request, response) => {
    request.resume();
    try {
      await serve(sessions.open(target.session), target, response);
    } catch (error) {
      if (!(error instanceof Refusal)) {
        onError(error);
      }
      sendText(response, error instanceof Refusal ? 404 : 500, 'There is nothing here.');
    }
  };
}

async function serve(session: Session, { path }: Target, response: ServerResponse): Promise<void> {
  const prefix = `${PAYER_PATHS.image}/`;
  const image = path.startsWith(prefix) ? await session.get('images', path.slice(prefix.length)) : undefined;
  if (!image) {
    sendText(response, 404, 'There is nothing here.');
    return;
  }
  // An image never changes under its id, and its kind was found out from its content.
  response.writeHead(200, {
    'Content-Type': image.mediaType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  response.end(Buffer.from(image.base64, 'base64'));
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain;charset=UTF-8', 'X-Content-Type-Options': 'nosniff' });
  response.end(text);
}
