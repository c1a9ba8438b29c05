import { Router } from 'express';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { type HtmlPage, htmlPage } from '../html/page.ts';
import { findSharedReport, type SharedReport, sharedReportPage } from '../reports/index.ts';
import { sendPage } from './send-page.ts';

/** Most requests per minute from one address: enough for a reader, too few to guess tokens. */
const MAX_REQUESTS = 60;

/**
 * Serves the pages of shared reports to anybody with the link. The page for an unknown, a revoked and an expired token is the same. The
 * figures are up to a minute old, so that each link takes the database at most one report per minute.
 */
export function reportRoutes(app: App): Router {
  const routes = Router();
  const budget = new Budget(app);
  const pages = new RecentPages(app);
  routes.get('/:token', async (req, res) => {
    if (!budget.take(clientAddress(req.ip) ?? 'unknown')) return sendPage(res.set('Retry-After', String(MINUTE / SECOND)), 429, TOO_MANY);
    const report = await findSharedReport(app, req.params.token);
    if (report === undefined) return sendPage(res, 404, NO_REPORT);
    return sendPage(res, 200, await pages.of(report));
  });
  return routes;
}

const NO_REPORT = htmlPage(
  'There is no report here',
  '<p>The link is not complete, has expired, or was revoked. Ask whoever sent it to you.</p>',
);
const TOO_MANY = htmlPage('Too many requests', '<p>Please wait a minute, then load this page again.</p>');

/** Counts the requests of each address in the current minute. */
class Budget {
  readonly #app: App;
  #minute = 0;
  readonly #requests = new Map<string, number>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Counts a request. Returns false if the address is over its limit for this minute. */
  take(address: string): boolean {
    const minute = Math.floor(this.#app.clock.now().getTime() / MINUTE);
    if (minute !== this.#minute) this.#requests.clear();
    this.#minute = minute;
    const made = (this.#requests.get(address) ?? 0) + 1;
    this.#requests.set(address, made);
    return made <= MAX_REQUESTS;
  }
}

/** Keeps the page of each link for a minute. */
class RecentPages {
  readonly #app: App;
  readonly #pages = new Map<number, { until: number; page: Promise<HtmlPage> }>();

  constructor(app: App) {
    this.#app = app;
  }

  of(report: SharedReport): Promise<HtmlPage> {
    const now = this.#app.clock.now().getTime();
    const kept = this.#pages.get(report.id);
    if (kept !== undefined && kept.until > now) return kept.page;
    for (const [id, { until }] of this.#pages) if (until <= now) this.#pages.delete(id);
    const page = sharedReportPage(this.#app, report);
    this.#pages.set(report.id, { until: now + MINUTE, page });
    page.catch(() => this.#pages.delete(report.id));
    return page;
  }
}
