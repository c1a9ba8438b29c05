import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** The form of an id that a client or a proxy may send: it goes into logs. */
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Gives each request an id, its own `X-Request-Id` if it has the form of one, and returns it in the same header. The log lines of
 * the request carry it (`request_id`), so that a client's report leads to them.
 */
export function identifyRequests(req: Request, res: Response, next: NextFunction): void {
  const given = req.get('x-request-id') ?? '';
  const id = REQUEST_ID.test(given) ? given : randomUUID();
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
  next();
}
