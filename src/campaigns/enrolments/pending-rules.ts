import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isLogged } from '../../events/index.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import type { Subsequence } from '../options/subsequence.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import type { Pending } from './pending.ts';

/**
 * A rule by which contacts are to enter a campaign, in its present state. It belongs to that campaign, or to the one that the contacts come
 * from.
 */
export interface Rule {
  pending: readonly Pending[];
  /**
   * Contacts who may not enter, with the reason: they have replied since, although the rule is for contacts who have not, or they are in
   * another subsequence.
   */
  barred: ReadonlyMap<Pending, 'replied' | 'in_other_subsequence'>;
  workspaceId: number;
  /** The user in whose name they are enrolled; null for the operator. */
  setBy: number | null;
  /** The campaigns that they come from: a rotation group, one campaign, or none. */
  from: readonly number[];
  /** Fields for the audit entries. */
  because: Readonly<Record<string, unknown>>;
  /** Reason why the rule no longer applies; undefined if it does. */
  closed: 'campaign_archived' | 'campaign_deleted' | 'rule_changed' | undefined;
}

/** The locked campaign that contacts are to enter. */
interface Target {
  workspace_id: number;
  list_id: number | null;
  list_set_by: number | null;
  is_archived: boolean;
  is_deleted: boolean;
}

/** The enrolment that a contact comes from, with its campaign. */
interface Source {
  id: number;
  campaign_id: number;
  sequence: number[];
  subsequences: Subsequence[];
  subsequences_set_by: number | null;
  is_deleted: boolean;
  has_replied: boolean;
  /** True if the contact is in another subsequence of this enrolment than the one to enter. */
  is_followed: boolean;
}

/**
 * Groups contacts by the rule by which they are to enter a campaign, and reads the present state of each rule. Indexes: campaigns_pkey,
 * enrolments_pkey, enrolments_contact.
 */
export async function rulesOf(tx: Tx, campaignId: number, taken: readonly Pending[]): Promise<Rule[]> {
  if (taken.length === 0) return [];
  const [target] = await tx.query<Target>(sql`
    select c.workspace_id, c.list_id, c.list_set_by, c.is_archived, c.deleted_at is not null as is_deleted
    from campaigns c where c.id = ${campaignId}`);
  if (target === undefined) return [];
  const closed = target.is_deleted ? 'campaign_deleted' : target.is_archived ? 'campaign_archived' : undefined;
  const sources = await sourcesOf(tx, campaignId, taken);
  const keyOf = (one: Pending) => JSON.stringify([one.list_id, one.cause, one.label, sources.get(one.source_id ?? 0)?.campaign_id]);
  return [...Map.groupBy(taken, keyOf).values()].map((pending) => {
    const [first] = pending as [Pending];
    const source = sources.get(first.source_id ?? 0);
    const rule = source === undefined ? listRule(first, target) : causeRule(first, source, campaignId);
    const isForSilent = ['opened', 'clicked', 'finished'].includes(first.cause ?? '');
    const barred = new Map(
      pending.flatMap((one): [Pending, 'replied' | 'in_other_subsequence'][] => {
        const from = sources.get(one.source_id ?? 0);
        if (isForSilent && from?.has_replied) return [[one, 'replied']];
        return from?.is_followed ? [[one, 'in_other_subsequence']] : [];
      }),
    );
    return { pending, barred, workspaceId: target.workspace_id, ...rule, closed: closed ?? rule.closed };
  });
}

type Part = Pick<Rule, 'setBy' | 'from' | 'because' | 'closed'>;

const listRule = ({ list_id }: Pending, target: Target): Part => ({
  setBy: target.list_set_by,
  from: [],
  because: { joined_list_id: list_id },
  closed: target.list_id === list_id ? undefined : 'rule_changed',
});

function causeRule({ cause, label }: Pending, source: Source, campaignId: number): Part {
  const isSame = (rule: Subsequence) =>
    rule.on === cause && rule.label?.toLowerCase() === label?.toLowerCase() && rule.campaign_id === campaignId;
  return {
    setBy: source.subsequences_set_by,
    from: source.sequence,
    because: { from_campaign_id: source.campaign_id, on: cause, ...(label === null ? {} : { label }) },
    closed: !source.is_deleted && source.subsequences.some(isSame) ? undefined : 'rule_changed',
  };
}

async function sourcesOf(tx: Tx, campaignId: number, taken: readonly Pending[]): Promise<Map<number, Source>> {
  const ids = taken.flatMap(({ source_id }) => source_id ?? []);
  const rows = await tx.query<Source>(sql`
    select e.id, e.campaign_id, c.subsequences, c.subsequences_set_by, c.deleted_at is not null as is_deleted,
      array(select m.id from campaigns m where m.id = c.id or m.rotation_group_id = c.rotation_group_id) as sequence,
      ${isLogged('e.id', 'replied')} as has_replied,
      exists (select from enrolments f where f.contact_id = e.contact_id and f.source_id = e.id and ${enrolmentIs('f', 'active')}
        and f.campaign_id <> all(${await sequenceOf(tx, campaignId)}::int[])) as is_followed
    from enrolments e join campaigns c on c.id = e.campaign_id where e.id = any(${ids}::int[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
