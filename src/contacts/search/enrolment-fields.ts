import { raw, sql } from '../../db/statement.ts';
import { type Field, integerField, type SearchContext, wholeTextField, wordOf } from './field.ts';

/**
 * Rank of a field that selects enrolments, 0 the strongest. In one AND group, a weaker field refers to the enrolment that
 * the stronger one selects.
 */
const RANK: Readonly<Record<string, number>> = { campaign: 0, campaign_id: 0, status: 1, step: 2 };

export const RANKS = [0, 1, 2] as const;

/** Undefined for fields that are not about enrolments. */
export const enrolmentRank = (field: string): number | undefined => (Object.hasOwn(RANK, field) ? RANK[field] : undefined);

/** Fields of the enrolment `alias`; its campaign is `alias_campaign`. */
export function enrolmentFields({ campaigns }: SearchContext, alias: string): Field[] {
  const [e, k] = [raw(alias), raw(`${alias}_campaign`)];
  return [
    wholeTextField('campaign', sql`${k}.name`, undefined, { isElsewhere: true, sugar: { has: true } }),
    integerField('campaign_id', sql`${k}.id`, undefined, { isElsewhere: true }),
    {
      name: 'status',
      any: [sql`true`],
      isElsewhere: true,
      match: (value) => [sql`${e}.status = ${wordOf('status', value, campaigns.statuses)}`],
    },
    integerField('step', sql`${e}.current_step`, undefined, { isElsewhere: true }),
  ];
}
