import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { OutcomeUnknown, Refusal } from '../../base/refusal.ts';
import { onClosed } from '../../server/http/connection.ts';
import type { CallHandler } from '../../server/http/router.ts';
import { targetOf } from '../../server/http/target.ts';
import { isSessionName } from '../../server/sessions/sessions.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { Forwarder } from './forward.ts';

/** What any node can answer: it is about the sandbox, and no session. */
const OF_THE_SANDBOX = /^\/_sandbox\/(?:health(?:\/.*)?|metrics|ca\.pem|docs(?:\/.*)?|openapi\.json|sessions)$/;
/** Bytes of a head that any node takes: what a node adds to send it on must fit into the server's bound. */
const MAX_HEAD_BYTES = 16 * 1024;
/** A session that is named by the path of a control call. */
const NAMED = /^\/_sandbox\/sessions\/([^/]+)(?:\/fork)?$/;

export interface GateParts {
  node: ClusterNode;
  forwarder: Forwarder;
  serve: CallHandler;
  onError(error: unknown): void;
  onWarning(message: string): void;
}

/** Lets calls of sessions that are here through, and sends the others on to the node that has theirs. */
export function clusterGate({ node, forwarder, serve, onError, onWarning }: GateParts): RequestListener {
  const serveHere = (session: string, request: IncomingMessage, response: ServerResponse) => {
    // It may have been closed while its session was looked for.
    onClosed(response, node.begin(session));
    serve(request, response);
  };
  const refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) => {
    if (!(error instanceof Refusal)) {
      onError(error);
    }
    serve(request, response, error instanceof Refusal ? error : unavailable());
  };
  const findPlace = async (
    session: string,
    request: IncomingMessage,
    response: ServerResponse,
    isForwarded: boolean,
  ) => {
    try {
      const found = await node.place(session);
      if (found.isHere) {
        serveHere(session, request, response);
      } else if (isForwarded) {
        // The other node thought it was here. One hop, no more: they might send it to each other for ever.
        throw unavailable();
      } else {
        forwarder.forward(request, response, found.address, {
          onMoved: () => node.forget(session),
          onUnreachable() {
            node.forget(session);
            refuse(unavailable(), request, response);
          },
          onUnanswered() {
            node.forget(session);
            refuse(unanswered(request), request, response);
          },
          onStranger() {
            const refusal = fromStranger(found.address);
            onWarning(refusal.message);
            refuse(refusal, request, response);
          },
        });
      }
    } catch (error) {
      refuse(error, request, response);
    }
  };
  return (request, response) => {
    const session = sessionOf(request);
    const isForwarded = forwarder.isForwarded(request);
    if (isForwarded) {
      forwarder.sign(response);
    } else if (headBytesOf(request) > MAX_HEAD_BYTES) {
      // As Node.js says it of still larger ones.
      response.writeHead(431, { Connection: 'close' }).end();
      return;
    }
    if (node.isStopping) {
      response.setHeader('Connection', 'close');
    }
    if (session === undefined) {
      serve(request, response);
    } else if (node.has(session)) {
      serveHere(session, request, response);
    } else {
      void findPlace(session, request, response, isForwarded);
    }
  };
}

/** As Node.js counts them against its bound. */
function headBytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

/** Which session a call is about; undefined where it is about none, or none can have that name, so that any node can answer it. */
function sessionOf(request: IncomingMessage): string | undefined {
  const { session, path } = targetOf(request);
  const named = NAMED.exec(path)?.[1];
  if (named === undefined && OF_THE_SANDBOX.test(path)) {
    return undefined;
  }
  const name = named === undefined ? session : decodeURIComponent(named);
  return isSessionName(name) ? name : undefined;
}

/** Nothing was done. */
function unavailable(): Refusal {
  return moved('the session is at another node that does not answer, or on its way to one; send the call again');
}

function fromStranger(address: string): Refusal {
  return moved(
    `what answers at ${address}, where a node says that it has the session, is no node of this sandbox: look at that node's --node-url`,
  );
}

/** That node may have done what it was asked for; of a call that asks for no change, nothing can have been done. */
function unanswered({ method }: IncomingMessage): Refusal {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead ? unavailable() : new OutcomeUnknown('the node that has the session does not answer', unavailable());
}

function moved(message: string): Refusal {
  return new Refusal('moved', message, { headers: { 'Retry-After': '1' } });
}
