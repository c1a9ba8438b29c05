import type { NextFunction, Request, Response } from 'express';
import { requestSeconds } from '../core/metrics.ts';

/** Paths outside the REST API, of which the first segment says enough; `/t` and `/u` carry tokens. */
const PLACES = new Set(['healthz', 'readyz', 'docs', 'invite', 'trpc']);

/** Notes how long each answer took, under the template of its route: ids and tokens never become labels. */
export function timeRequests(req: Request, res: Response, next: NextFunction): void {
  const end = requestSeconds.startTimer();
  const first = req.path.split('/')[1] ?? '';
  res.once('finish', () => {
    // A stream ends when its reader leaves.
    if (String(res.getHeader('content-type')).startsWith('text/event-stream')) return;
    const route = (res.locals.route as string | undefined) ?? (PLACES.has(first) ? `/${first}` : 'other');
    end({ method: req.method, route, status: res.statusCode });
  });
  next();
}
