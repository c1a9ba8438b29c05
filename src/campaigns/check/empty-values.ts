import { type Caller, notHidden } from '../../access/index.ts';
import { quantity } from '../../core/english.ts';
import { join, type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import { placeholdersOf } from '../content/placeholders.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import type { StepRow } from '../steps/read-steps.ts';
import { type CampaignWarning, warn } from './warning.ts';

/** Condition: contact `t` has no value for a key. Undefined for keys that have a value in every email. */
function isEmpty(key: string): Sql | undefined {
  if (['email', 'domain', 'unsubscribe_url', 'postal_address', 'signature'].includes(key)) return undefined;
  if (key === 'name' || key === 'first_name') return sql`btrim(t.name) = ''`;
  if (key === 'last_name') return sql`btrim(t.name) !~ '\\s'`;
  if (key === 'company') return sql`coalesce(t.company, '') = ''`;
  return sql`coalesce(t.custom_fields->>${key}::text, '') = ''`;
}

/** Maps each known key that is used without a fallback or condition to the first step that uses it. */
function bareKeys(steps: readonly StepRow[], unknown: ReadonlySet<string>): Map<string, number> {
  const keys = new Map<string, number>();
  for (const { step_order, kind, subject, subject_b, body_html, body_html_b } of steps) {
    const subjects = step_order === 1 ? [subject, subject_b ?? ''] : [];
    const texts = kind === 'email' ? [...subjects, body_html, body_html_b ?? ''] : [];
    for (const { key, isOptional } of texts.flatMap(placeholdersOf)) {
      if (!isOptional && !unknown.has(key) && !keys.has(key) && isEmpty(key) !== undefined) keys.set(key, step_order);
    }
  }
  return keys;
}

/** Warns of placeholders without a fallback that are empty for some of the active contacts. Index: enrolments_active. */
export async function emptyValueWarnings(
  db: Queryable,
  caller: Caller,
  campaignIds: readonly number[],
  steps: readonly StepRow[],
  unknown: ReadonlySet<string>,
): Promise<CampaignWarning[]> {
  const keys = [...bareKeys(steps, unknown)];
  if (keys.length === 0) return [];
  const counts = keys.map(([key]) => sql`(count(*) filter (where ${isEmpty(key) ?? sql`false`}))::int`);
  const [row] = await db.query<{ counts: number[] }>(sql`
    select to_jsonb(array[${join(counts)}]) as counts from enrolments e join contacts t on t.id = e.contact_id
    where e.campaign_id = any(${campaignIds}::int[]) and ${enrolmentIs('e', 'active')} and ${notHidden(caller, 'contacts', raw('e.contact_id'))}`);
  return keys.flatMap(([key, step_order], index) => {
    const contacts = row?.counts[index] ?? 0;
    if (contacts === 0) return [];
    const who = quantity(contacts, 'contact has', 'contacts have');
    return [warn('empty_value', `step ${step_order}: ${who} no value for {{${key}}}, which has no fallback`, { step_order, contacts })];
  });
}
