import type { RequestListener } from 'node:http';
import express from 'express';
import { Refusal } from '../../base/refusal.ts';
import type { CallHandler } from './router.ts';

/**
 * The sandbox as an Express application, to mount in another server or to pass to supertest. The sandbox's own servers call the listener
 * directly, because an application gives each request and response another prototype, which makes their later use slower.
 */
export function applicationOf(
  listener: RequestListener,
  serve: CallHandler,
): (request: object, response: object) => void {
  const application = express();
  application.disable('x-powered-by');
  application.use((request, response) => {
    if (request.readableDidRead) {
      // A body parser in front has read the bytes that the checks of the body, the request log and the history need.
      serve(request, response, bodyAlreadyRead());
    } else {
      listener(request, response);
    }
  });
  return application as (request: object, response: object) => void;
}

function bodyAlreadyRead(): Refusal {
  return new Refusal(
    'malformed-body',
    'the body was read before the request reached the sandbox: mount sandbox.app before body parsers such as express.json()',
  );
}
