import { type Caller, notHidden } from '../../access/index.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { isRetry } from '../../outbox/index.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/** A step whose emails servers refuse for their content: its size, its format or what it contains. */
export interface ContentRefusals {
  step_order: number;
  /** Refused emails that wait for a retry. */
  emails: number;
  /** A reply of one of the servers. */
  example: string;
}

/** Maximum number of distinct replies to classify, most frequent first. Most replies repeat. */
const MAX_REPLIES = 200;

/**
 * Finds the steps of these campaigns whose emails servers refuse for their content. Counts only emails to contacts that the caller may see.
 * Emails that were sent again after a change of the step don't count. Index: outbox_campaign_open.
 */
export async function findContentRefusals(db: Queryable, caller: Caller, campaignIds: readonly number[]): Promise<ContentRefusals[]> {
  const replies = await db.query<{ step_order: number; text: string; emails: number }>(sql`
    select s.step_order, o.response as text, count(*)::int as emails
    from outbox o join steps s on s.id = o.step_id and s.deleted_at is null
    join enrolments e on e.id = o.enrolment_id and ${enrolmentIs('e', 'active')}
    where o.campaign_id = any(${campaignIds}::int[]) and ${isRetry('o')} and o.response ~ '^[45][0-9][0-9]' and ${notHidden(caller, 'contacts', raw('o.contact_id'))}
    group by 1, 2 order by emails desc, 1, 2 limit ${MAX_REPLIES}`);
  if (replies.length === 0) return [];
  // Loaded only if there is a reply to classify: most campaigns have none, and the table of replies is long.
  const { classifyReply } = await import('../../mail/replies/classify-reply.ts');
  const steps = new Map<number, ContentRefusals>();
  for (const { step_order, text, emails } of replies) {
    if (classifyReply({ phase: 'data', code: null, enhanced: null, text }).class !== 'message') continue;
    const known = steps.get(step_order) ?? { step_order, emails: 0, example: text };
    steps.set(step_order, { ...known, emails: known.emails + emails });
  }
  return [...steps.values()].sort((one, other) => one.step_order - other.step_order);
}
