import { type Viewer, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { prepared, type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { contentVersion } from '../content/content-version.ts';
import { enrolmentIs, isHeldForContent, noContentHold, sendsFrom } from '../states/enrolment.ts';

/** Maximum number of held enrolments that one transaction releases. */
const REVIEW_BATCH_SIZE = 5_000;

/**
 * Holds an active enrolment because the email of its step can't be rendered from the present content. It becomes due again when the content
 * has changed, see `releaseChangedContent`. The hold does not count as a failed attempt.
 * @param version `contentVersion` of the content that was tried, as of when that content was read
 */
export async function holdForContent(tx: Tx, id: number, fault: string, version: string): Promise<void> {
  await tx.query(sql`
    update enrolments set hold_kind = 'content', content_fault = ${fault}, content_version = ${version}, due_at = null
    where id = ${id} and status = 'active'`);
}

/** Makes emails due that are held for the content of a step. Index: enrolments_held. */
export async function releaseStep(tx: Tx, campaignId: number, stepOrder: number, now: Date): Promise<void> {
  await tx.query(sql`
    update enrolments set due_at = ${now}, ${noContentHold}
    where campaign_id = ${campaignId} and current_step = ${stepOrder} and status = 'active' and ${isHeldForContent('enrolments')}`);
}

/**
 * Makes emails due whose content has changed since they were held for it: the step, the contact, a custom field, the signature or the
 * footer. Emails that still can't be rendered are held again. Indexes: enrolments_held, steps_live_order.
 * @returns the number of enrolments released
 */
export async function releaseChangedContent(app: App): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    const released = await tx.query<{ campaign_id: number }>(
      prepared(
        'release-changed-content',
        sql`
      with changed as (
        select e.id from enrolments e
        join campaigns c on c.id = e.campaign_id
        join steps s on s.campaign_id = e.campaign_id and s.step_order = e.current_step and s.deleted_at is null
        join contacts t on t.id = e.contact_id
        join accounts a on a.id = ${sendsFrom('e', 'c')}
        where ${enrolmentIs('e', 'active')} and ${isHeldForContent('e')} and e.content_version is distinct from ${contentVersion}
        order by e.id limit ${REVIEW_BATCH_SIZE} for no key update of e skip locked)
      update enrolments e set due_at = ${now}, ${noContentHold}
      from changed where e.id = changed.id returning e.campaign_id`,
      ),
    );
    for (const campaignId of new Set(released.map(({ campaign_id }) => campaign_id))) await wakeCampaign(tx, campaignId, now);
    return released.length;
  });
}

/** Counts contacts whose email can't be rendered, in campaigns that the viewer can see. Index: enrolments_held. */
export async function countHeldForContent(db: Queryable, viewer: Viewer): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from enrolments e join campaigns c on c.id = e.campaign_id
    where ${isHeldForContent('e')} and e.status = 'active' and ${visible(viewer, 'campaigns', 'c')}`);
  return row?.count ?? 0;
}
