import { type Caller, requireVisible, visible } from '../access/index.ts';
import { enrolmentIs } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { variantCounts } from '../events/index.ts';

/** Results of one A/B group. */
export interface VariantProgress {
  /** `A`, `B`, or null for contacts enrolled while no test was on. */
  variant: 'A' | 'B' | null;
  contacts: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
}

interface StepProgress {
  step_order: number;
  /** Contacts waiting for this step. */
  waiting: number;
  /** Contacts whose last email was this step. */
  reached: number;
}

export interface CampaignProgress {
  /** Contacts whose sequence has ended, for any reason. */
  finished: number;
  variants: VariantProgress[];
  steps: StepProgress[];
}

/**
 * Counts the contacts of a campaign, or of its whole rotation group, by variant and by step. Reads every enrolment, so it is meant for the
 * one campaign that is open. Throws `not_found`. Indexes: campaigns_rotation, enrolments_page.
 */
export async function campaignProgress(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignProgress> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  const together = sql`
    select m.id from campaigns c join campaigns m on m.id = c.id or m.rotation_group_id = c.rotation_group_id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'm')}`;
  const [variants, rows, steps] = await Promise.all([
    db.query<VariantProgress>(variantCounts(together)),
    db.query<{ current_step: number; last_sent_step: number; contacts: number; active: number }>(sql`
      select e.current_step, e.last_sent_step, count(*)::int as contacts,
        count(*) filter (where ${enrolmentIs('e', 'active')})::int as active
      from enrolments e where e.campaign_id in (${together}) group by 1, 2`),
    db.query<{ step_order: number }>(
      sql`select s.step_order from steps s where s.campaign_id = ${campaignId} and s.deleted_at is null order by 1`,
    ),
  ]);
  return {
    finished: total(rows, (row) => row.contacts - row.active),
    variants: variants.filter((variant) => variant.contacts > 0),
    steps: steps.map(({ step_order }) => ({
      step_order,
      waiting: total(
        rows.filter((row) => row.current_step === step_order),
        (row) => row.active,
      ),
      reached: total(
        rows.filter((row) => row.last_sent_step === step_order),
        (row) => row.contacts,
      ),
    })),
  };
}

const total = <Row>(rows: readonly Row[], count: (row: Row) => number) => rows.reduce((sum, row) => sum + count(row), 0);
