import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** The accepted form of an id from a client or a proxy. It is restricted because ids are logged. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Gives each request an id, that in `X-Request-Id` if it is valid, and returns it in the same header. The log lines of the request contain
 * it (`request_id`), so that they can be found from a client's report.
 */
export function identifyRequests(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('x-request-id') ?? '';
  const id = REQUEST_ID.test(given) ? given : randomUUID();
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
  next();
}
