import { enrolmentIs } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { CampaignLine } from './campaign-lines.ts';

/** Minimum interval between two counts. Counting scans an index of all active enrolments, and a progress bar needs no more. */
const INTERVAL_MILLISECONDS = 3_000;

/**
 * Counts the contacts of each campaign whose sequence has ended. Recounts only campaigns that have changed since, and no more
 * often than `INTERVAL_MILLISECONDS`.
 */
export class FinishedCounts {
  readonly #counts = new Map<number, { stamp: string; finished: number }>();
  #countedAt = Number.NEGATIVE_INFINITY;

  /** Fills in `finished`. Index: enrolments_active. */
  async fill(db: Queryable, lines: readonly CampaignLine[]): Promise<CampaignLine[]> {
    const now = performance.now();
    const stale = lines.filter((line) => this.#counts.get(line.id)?.stamp !== stampOf(line));
    if (stale.length > 0 && (now - this.#countedAt > INTERVAL_MILLISECONDS || stale.some((line) => !this.#counts.has(line.id)))) {
      this.#countedAt = now;
      await this.#count(db, stale);
    }
    return lines.map((line) => ({ ...line, finished: this.#counts.get(line.id)?.finished ?? 0 }));
  }

  async #count(db: Queryable, lines: readonly CampaignLine[]): Promise<void> {
    const rows = await db.query<{ id: number; active: number }>(sql`
      select c.id, (select count(*)::int from enrolments e where e.campaign_id = c.id and ${enrolmentIs('e', 'active')}) as active
      from unnest(${lines.map((line) => line.id)}::int[]) c (id)`);
    const active = new Map(rows.map((row) => [row.id, row.active]));
    for (const line of lines) {
      this.#counts.set(line.id, { stamp: stampOf(line), finished: Math.max(0, line.contacts - (active.get(line.id) ?? 0)) });
    }
  }
}

const stampOf = (line: CampaignLine) => [line.status, line.contacts, line.sent, line.replied, line.bounced, line.failed].join();
