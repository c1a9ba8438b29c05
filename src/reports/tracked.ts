import { tracks } from '../campaigns/index.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Counts, Tracked } from './report-row.ts';

/** A campaign of a report, and whether its emails have the image and the links that make opens and clicks visible. */
interface TrackedCampaign extends Tracked {
  id: number;
  rotation_id: number | null;
}

/**
 * Reads what the campaigns of a report currently track.
 * @param publicUrl the public address of the installation. Indexes: campaigns_pkey, accounts_pkey.
 */
export const readTracked = (db: Queryable, campaigns: Sql, publicUrl: string | null): Promise<TrackedCampaign[]> =>
  db.query<TrackedCampaign>(sql`
    select c.id, c.rotation_group_id as rotation_id, ${tracks('opens', publicUrl)} as opened, ${tracks('clicks', publicUrl)} as clicked
    from campaigns c join accounts a on a.id = c.account_id where c.id in (${campaigns})`);

/** True for opens or clicks if any of the campaigns tracks them, or some were counted: tracking may have been switched off since. */
export const trackedOf = (campaigns: readonly Tracked[], counts: Counts): Tracked => ({
  opened: counts.opened + counts.machine_opened > 0 || campaigns.some(({ opened }) => opened),
  clicked: counts.clicked + counts.machine_clicked > 0 || campaigns.some(({ clicked }) => clicked),
});
