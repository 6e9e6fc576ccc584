import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { OutcomeUnknown, Refusal } from '../../base/refusal.ts';
import { onClosed } from '../../server/http/connection.ts';
import type { CallHandler } from '../../server/http/router.ts';
import { targetOf } from '../../server/http/target.ts';
import { isSessionName } from '../../server/sessions/sessions.ts';
import { retryRefusal } from '../store/refusals.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { Forwarder } from './forwarder.ts';

/** Paths that any node can answer, because they concern the sandbox and no session. */
const SANDBOX_PATHS = /^\/_sandbox\/(?:health(?:\/.*)?|metrics|ca\.pem|docs(?:\/.*)?|openapi\.json|sessions)$/;
/** Largest accepted head of a request. It is below the server's own limit, because a node that forwards a call adds headers. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Captures the session that the path of a control call names. */
const SESSION_PATH = /^\/_sandbox\/sessions\/([^/]+)(?:\/fork)?$/;

export interface GateParts {
  node: ClusterNode;
  forwarder: Forwarder;
  serve: CallHandler;
  onError(error: unknown): void;
  onWarning(message: string): void;
}

/** Serves calls of sessions on this node, and forwards the others to the nodes that have their sessions. */
export function createClusterGate({ node, forwarder, serve, onError, onWarning }: GateParts): RequestListener {
  const serveHere = (session: string, request: IncomingMessage, response: ServerResponse) => {
    // The connection may have been closed while the session was looked up.
    onClosed(response, node.beginCall(session));
    serve(request, response);
  };
  const refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) => {
    if (!(error instanceof Refusal)) {
      onError(error);
    }
    serve(request, response, error instanceof Refusal ? error : elsewhereRefusal());
  };
  const serveOrForward = async (
    session: string,
    request: IncomingMessage,
    response: ServerResponse,
    isForwarded: boolean,
  ) => {
    try {
      const location = await node.claim(session);
      if (location.isHere) {
        serveHere(session, request, response);
      } else if (isForwarded) {
        // Not forwarded twice, because two nodes with outdated addresses could send a call to each other for ever.
        throw elsewhereRefusal();
      } else {
        forwarder.forward(request, response, location.address, {
          onMoved: () => node.forgetAddress(session),
          onUnreachable() {
            node.forgetAddress(session);
            refuse(elsewhereRefusal(), request, response);
          },
          onUnanswered() {
            node.forgetAddress(session);
            refuse(unansweredRefusal(request), request, response);
          },
          onForeignServer() {
            const refusal = foreignServerRefusal(location.address);
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
    const isForwarded = forwarder.takeNodeHeaders(request);
    if (isForwarded) {
      forwarder.sign(response);
    } else if (headBytesOf(request) > MAX_HEAD_BYTES) {
      // The answer that Node.js gives if a head exceeds its own limit.
      response.writeHead(431, { Connection: 'close' }).end();
      return;
    }
    if (node.isStopping) {
      response.setHeader('Connection', 'close');
    }
    if (session === undefined) {
      serve(request, response);
    } else if (node.canServe(session)) {
      serveHere(session, request, response);
    } else {
      void serveOrForward(session, request, response, isForwarded);
    }
  };
}

/** Counts as Node.js does for its own limit. */
function headBytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

/** The session of a call; undefined if it has none or the name is invalid, so that any node can answer it. */
function sessionOf(request: IncomingMessage): string | undefined {
  const { session, path } = targetOf(request);
  const sessionName = SESSION_PATH.exec(path)?.[1];
  if (sessionName === undefined && SANDBOX_PATHS.test(path)) {
    return undefined;
  }
  const name = sessionName === undefined ? session : decodeURIComponent(sessionName);
  return isSessionName(name) ? name : undefined;
}

/** Asks the caller to repeat a call that was not executed, or that only reads. */
function elsewhereRefusal(): Refusal {
  return retryRefusal('the session is at another node that does not answer, or on its way to one');
}

function foreignServerRefusal(address: string): Refusal {
  return new Refusal(
    'moved',
    `the server at ${address}, the address of the node that has the session, is not a node of this sandbox: check that node's --node-url`,
    { headers: { 'Retry-After': '1' } },
  );
}

/** The outcome is unknown, because that node may have executed the call, unless the call only reads. */
function unansweredRefusal({ method }: IncomingMessage): Refusal {
  const isRead = method === 'GET' || method === 'HEAD';
  const refusal = elsewhereRefusal();
  return isRead ? refusal : new OutcomeUnknown('the node that has the session does not answer', refusal);
}
