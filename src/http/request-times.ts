import type { NextFunction, Request, Response } from 'express';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { requestSeconds } from '../core/metrics.ts';

/** First segments of paths outside the REST API that become labels. All other paths are labelled `other`. */
const LABELLED = new Set(['healthz', 'readyz', 'docs', 'invite', 'r', 'trpc', 'mcp']);

/**
 * Records the duration of each request, labelled with the template of its route, so that ids and tokens never become labels. With
 * `accessLog`, also logs a line when the request ends.
 */
export const timeRequests =
  ({ config, log }: Pick<App, 'config' | 'log'>) =>
  (req: Request, res: Response, next: NextFunction): void => {
    const end = requestSeconds.startTimer();
    const first = req.path.split('/')[1] ?? '';
    res.once('finish', () => {
      // The duration of a stream says nothing: it lasts until the client leaves.
      if (String(res.getHeader('content-type')).startsWith('text/event-stream')) return;
      const route = (res.locals.route as string | undefined) ?? (LABELLED.has(first) ? `/${first}` : 'other');
      const seconds = end({ method: req.method, route, status: res.statusCode });
      if (!config.accessLog) return;
      const line = { ip: clientAddress(req.ip), method: req.method, route, status: res.statusCode, ms: Math.round(seconds * 1_000) };
      log.info({ ...line, bytes: Number(res.getHeader('content-length') ?? 0), request_id: res.locals.requestId }, 'request');
    });
    next();
  };
