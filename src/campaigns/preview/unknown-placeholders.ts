import type { Caller } from '../../access/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { unknownKeys } from '../content/known-keys.ts';
import { findPlaceholders } from '../content/placeholders.ts';
import { isLiveStep } from '../states/step.ts';

export interface UnknownPlaceholder {
  step_order: number;
  key: string;
}

/** Finds placeholders of no known field in a campaign's steps: emails with them will be held. Index: steps_live_order. */
export async function unknownPlaceholders(db: Queryable, caller: Caller, campaignId: number): Promise<UnknownPlaceholder[]> {
  // Subjects of later steps are never used, and a call's notes are read by a person.
  const texts = await db.query<{ step_order: number; text: string }>(sql`
    select s.step_order, concat_ws(' ', case when s.step_order = 1 then concat_ws(' ', s.subject, s.subject_b) end, s.body_html, s.body_html_b) as text
    from steps s where s.campaign_id = ${campaignId} and ${isLiveStep('s', 'email')} order by s.step_order`);
  const used = texts.flatMap(({ step_order, text }) => findPlaceholders(text).map((key) => ({ step_order, key })));
  const unknown = await unknownKeys(
    db,
    caller,
    used.map(({ key }) => key),
  );
  return used.filter(({ key }) => unknown.includes(key));
}
