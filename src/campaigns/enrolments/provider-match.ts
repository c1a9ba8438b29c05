import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type MailProvider, PROVIDER_NAMES, providerOfDomain, wantProviders } from '../../mail-domains/index.ts';
import type { ProviderMatch } from '../options/campaign-options.ts';
import { isHeldForProvider, isWaiting } from '../states/enrolment.ts';
import type { MemberState } from './open-members.ts';

/** A contact to distribute over the campaigns of a rotation group: enrolled, or about to be. */
export interface Distributed {
  id: number;
  /** Domain of the address; empty if providers don't matter. */
  domain: string;
  /** Null until it has been looked up. */
  provider: MailProvider | null;
}

/** Campaigns that a contact may go to, and the reason for holding the contact there; null if there is none. */
interface Placement {
  to: readonly MemberState[];
  hold: string | null;
}

/**
 * Decides which campaigns of a rotation group a contact may go to. With `prefer`, these are the campaigns at the contact's provider that
 * can send, or the usual ones if none can. With `require`, they are the campaigns at that provider, preferably those that can send; if
 * there are none, the contact is held. A contact at neither Google nor Microsoft may go to any usual campaign. While a provider is unknown,
 * the contact is held.
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

/** Sorts contacts in the order in which they are distributed: first those who may go to few campaigns. */
export const mostRestrictedFirst = <Item extends Distributed>(items: readonly Item[]): Item[] =>
  [...items].sort((one, other) => Number(one.provider === 'other') - Number(other.provider === 'other'));

/** Columns with the domain of contact `alias` and its provider; constants if providers don't matter. */
export function providerColumns(alias: string, match: ProviderMatch): Sql {
  if (match === 'off') return sql`'' as domain, 'other' as provider`;
  const domain = sql`address_domain(${raw(alias)}.email)`;
  return sql`${domain} as domain, ${providerOfDomain(domain)} as provider`;
}

/** Reads the `provider_match` of a campaign. Index: campaigns_pkey. */
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
 * Holds enrolments for their provider, and makes those due that were held for it and no longer are. Holds until a time stay, with their
 * reason.
 * @param which condition on enrolment `e` for those that were distributed
 * @param column the column of the ids in `held`
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
