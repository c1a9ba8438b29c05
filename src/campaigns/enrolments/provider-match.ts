import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type MailProvider, PROVIDER_NAMES, providerOfDomain, wantProviders } from '../../mail-domains/index.ts';
import type { ProviderMatch } from '../options/campaign-options.ts';
import { isHeldForProvider, isWaiting } from '../states/enrolment.ts';
import type { MemberState } from './open-members.ts';

/** A contact to distribute over the campaigns of a rotation group: enrolled, or about to be. */
export interface Distributed {
  id: number;
  /** Of the address; empty where providers don't matter. */
  domain: string;
  /** Null until it was looked up. */
  provider: MailProvider | null;
}

/** Where a contact may go, and why it is held there; null if it is not. */
interface Placement {
  to: readonly MemberState[];
  hold: string | null;
}

/**
 * The campaigns of a rotation group that a contact may go to. With `prefer` these are the ones of its provider if one of them can send,
 * and with `require` if there are any; else it is held. A contact at neither Google nor Microsoft may go anywhere.
 * @param open all campaigns of the group, of which `usual` get contacts without regard to providers
 */
export function placementOf(
  { domain, provider }: Pick<Distributed, 'domain' | 'provider'>,
  match: ProviderMatch,
  open: readonly MemberState[],
  usual: readonly MemberState[],
): Placement {
  if (match === 'off' || provider === 'other') return { to: usual, hold: null };
  const isUnknown = provider === null || open.some((member) => member.provider === null);
  if (isUnknown) return { to: usual, hold: `the email provider of ${domain} is being looked up` };
  const matching = open.filter((member) => member.provider === provider);
  const able = matching.filter((member) => member.can_send);
  if (able.length > 0) return { to: able, hold: null };
  if (match === 'prefer') return { to: usual, hold: null };
  if (matching.length > 0) return { to: matching, hold: null };
  return { to: usual, hold: `no account of the group sends from ${PROVIDER_NAMES[provider]}, where ${domain} has its email` };
}

/** The contacts in the order in which they are distributed: first those who may go to few campaigns. */
export const roundRobin = <Item extends Distributed>(items: readonly Item[]): Item[] =>
  [...items].sort((one, other) => Number(one.provider === 'other') - Number(other.provider === 'other'));

/** The domain of contact `alias` and its provider, as columns; cheap ones where providers don't matter. */
export function providerColumns(alias: string, match: ProviderMatch): Sql {
  if (match === 'off') return sql`'' as domain, 'other' as provider`;
  const domain = sql`address_domain(${raw(alias)}.email)`;
  return sql`${domain} as domain, ${providerOfDomain(domain)} as provider`;
}

/** The setting of a campaign. Index: campaigns_pkey. */
export async function providerMatchOf(db: Queryable, campaignId: number | undefined): Promise<ProviderMatch> {
  const [row] = await db.query<{ provider_match: ProviderMatch }>(
    sql`select c.provider_match from campaigns c where c.id = ${campaignId ?? null}`,
  );
  return row?.provider_match ?? 'off';
}

/** Requests a look-up of the providers of contacts, and of the accounts of these campaigns. Index: campaigns_pkey. */
export async function wantProvidersOf(tx: Tx, items: readonly Distributed[], members: readonly number[], now: Date): Promise<void> {
  const accounts = await tx.query<{ domain: string }>(sql`
    select distinct address_domain(a.email) as domain from campaigns c join accounts a on a.id = c.account_id
    where c.id = any(${members}::int[])`);
  await wantProviders(
    tx,
    [...items, ...accounts].map(({ domain }) => domain),
    now,
    { isAwaited: true },
  );
}

/**
 * Holds enrolments for their provider, and makes the others due that were held for it. Holds until a time stay, with their reason.
 * @param which condition on enrolment `e`: those that were distributed
 * @param column what `held` names them by
 */
export async function holdForProviders(
  tx: Tx,
  which: Sql,
  column: 'id' | 'contact_id',
  held: ReadonlyMap<string, readonly number[]>,
  now: Date,
): Promise<void> {
  const all = [...held.values()].flat();
  await tx.query(sql`
    update enrolments e set hold_kind = null, due_at = greatest(${now}::timestamptz, c.starts_at),
      hold_reason = case when e.held_until > ${now} then e.hold_reason end
    from campaigns c
    where c.id = e.campaign_id and ${which} and e.status = 'active' and ${isHeldForProvider('e')} and e.${raw(column)} <> all(${all}::int[])`);
  for (const [reason, ids] of held)
    await tx.query(sql`
      update enrolments e set hold_kind = 'provider', due_at = null,
        hold_reason = case when e.held_until > ${now} then e.hold_reason else ${reason} end
      where ${which} and (${isWaiting('e')} or ${isHeldForProvider('e')}) and e.${raw(column)} = any(${ids}::int[])`);
}
