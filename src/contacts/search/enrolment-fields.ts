import { visible } from '../../access/index.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { type Field, integerField, type SearchContext, wholeTextField, wordOf } from './field.ts';

const STATUSES = ['active', 'replied', 'stopped', 'bounced', 'completed'];

/**
 * How strongly a field names an enrolment, 0 the strongest. Beside a stronger field in the same AND group, a weaker one
 * speaks of the enrolment that the stronger one names.
 */
const RANK: Readonly<Record<string, number>> = { campaign: 0, campaign_id: 0, status: 1, step: 2 };

export const RANKS = [0, 1, 2] as const;

/** Undefined for fields that have nothing to do with one enrolment. */
export const enrolmentRank = (field: string): number | undefined => (Object.hasOwn(RANK, field) ? RANK[field] : undefined);

/** The fields of the enrolment `alias`; its campaign is `alias_campaign`. */
export function enrolmentFields(alias: string): Field[] {
  const [e, k] = [raw(alias), raw(`${alias}_campaign`)];
  return [
    wholeTextField('campaign', sql`${k}.name`, undefined, { isElsewhere: true, sugar: { has: true } }),
    integerField('campaign_id', sql`${k}.id`, undefined, { isElsewhere: true }),
    {
      name: 'status',
      any: [sql`true`],
      isElsewhere: true,
      match: (value) => [sql`${e}.status = ${wordOf('status', value, STATUSES)}`],
    },
    integerField('step', sql`${e}.current_step`, undefined, { isElsewhere: true }),
  ];
}

/**
 * The condition that the contact has an enrolment for which `condition` holds, in a campaign that the caller can see.
 * Index: enrolments_contact, enrolments_page, campaigns_page.
 */
export function enrolmentExists({ caller }: SearchContext, alias: string, condition: Sql): Sql {
  const [e, k] = [raw(alias), raw(`${alias}_campaign`)];
  return sql`exists (
    select from enrolments ${e} join campaigns ${k} on ${k}.id = ${e}.campaign_id and ${visible(caller, 'campaigns', `${alias}_campaign`)}
    where ${e}.contact_id = c.id and ${condition})`;
}
