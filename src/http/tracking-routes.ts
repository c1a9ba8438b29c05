import { type Request, Router } from 'express';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { type HitLog, maskedEmail, readLink, unsubscribe } from '../tracking/index.ts';
import { sendPage } from './send-page.ts';
import { donePage, LANGUAGES, questionPage, unknownLinkPage } from './unsubscribe-page.ts';

/** The smallest transparent GIF: 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Serves tracking images, tracked links and the unsubscribe page to recipients, without API keys or cookies. */
export function trackingRoutes(app: App, log: HitLog): Router {
  const routes = Router();

  routes.get('/o/:mail/:signature', (req, res) => {
    const link = readLink(app.sealer, 'o', req.params);
    if (link !== undefined) log.add({ ...hitOf(app, req), kind: 'opened', outboxId: link.outboxId, url: null });
    // Also sent for a forged link: a broken image would reveal that the signature is checked.
    res
      .set({
        'Content-Type': 'image/gif',
        'Cache-Control': 'no-store, no-cache, private, max-age=0',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
      .send(PIXEL);
  });

  routes.get('/c/:mail/:signature/:target', (req, res) => {
    const link = readLink(app.sealer, 'c', req.params);
    if (link === undefined) return sendPage(res, 404, unknownLinkPage(languageOf(req)));
    log.add({ ...hitOf(app, req), kind: 'clicked', outboxId: link.outboxId, url: link.url });
    return res
      .set({ Location: locationOf(link.url), 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' })
      .status(302)
      .end();
  });

  routes.get('/u/:mail/:signature', async (req, res) => {
    const link = readLink(app.sealer, 'u', req.params);
    const letter = link === undefined ? undefined : await maskedEmail(app.db, link.outboxId);
    if (letter === undefined) sendPage(res, 404, unknownLinkPage(languageOf(req)));
    else sendPage(res, 200, questionPage(languageOf(req), letter));
  });

  // For the button on the page and for one-click unsubscribing (RFC 8058). The body is ignored.
  routes.post('/u/:mail/:signature', async (req, res) => {
    const link = readLink(app.sealer, 'u', req.params);
    const done = link !== undefined && (await unsubscribe(app, link.outboxId, clientAddress(req.ip)));
    if (done) sendPage(res, 200, donePage(languageOf(req)));
    else sendPage(res, 404, unknownLinkPage(languageOf(req)));
  });

  return routes;
}

/** Returns the URL as the author wrote it, or in ASCII if a header can't contain it: Location is a URI reference (RFC 9110 §10.2.2). */
const locationOf = (url: string) => (/^[!-~]+$/.test(url) ? url : new URL(url).href);

const languageOf = (req: Request) => req.acceptsLanguages(LANGUAGES) || 'en';

const hitOf = (app: App, req: Request) => ({
  method: req.method,
  userAgent: req.headers['user-agent'] ?? '',
  headers: req.headers,
  ip: clientAddress(req.ip),
  at: app.clock.now(),
});
