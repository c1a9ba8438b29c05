import { DateTime } from 'luxon';
import type { Caller } from '../access/index.ts';
import { accountsWithAddresses } from '../accounts/index.ts';
import { campaignsNamed, type GivenSubsequence } from '../campaigns/index.ts';
import { listsNamed } from '../contacts/index.ts';
import { causeOf } from '../core/cause-text.ts';
import { isSameAddress } from '../core/email-address.ts';
import { atLocalTime } from '../core/zone.ts';
import type { Queryable } from '../db/statement.ts';
import { FAR_YEAR, isNearYear } from '../fields/fields.ts';
import { FieldMistake } from './mistakes.ts';
import type { DeclaredCampaign } from './schema.ts';

/**
 * Returns the id of the campaign that a file names; undefined if it is new. Throws a `FieldMistake` for a name that several campaigns have,
 * and for an archived campaign.
 */
export async function findNamed(db: Queryable, caller: Caller, name: string): Promise<number | undefined> {
  const found = await campaignsNamed(db, caller, name);
  const [live, another] = found.filter((campaign) => !campaign.is_archived);
  if (another !== undefined)
    throw new FieldMistake('name', `several campaigns have this name: ${found.map(({ id }) => id).join(', ')}; rename all but one`);
  if (live !== undefined) return live.id;
  const [archived] = found;
  if (archived !== undefined)
    throw new FieldMistake('name', `campaign ${archived.id} of this name is archived; unarchive or rename it first`);
  return undefined;
}

/**
 * Returns the ids of the accounts that a file names, in its order. Throws nothing: mistakes are reported one by one.
 * @param present accounts that the campaign sends from already, even if the caller can't see them
 */
export async function findAccounts(
  db: Queryable,
  caller: Caller,
  addresses: readonly string[],
  present: readonly { id: number; email: string }[],
  report: (mistake: FieldMistake) => void,
): Promise<number[]> {
  const known = [...(await accountsWithAddresses(db, caller, addresses)), ...present];
  return addresses.flatMap((address, index) => {
    const account = known.findLast(({ email }) => isSameAddress(email, address));
    if (account !== undefined) return [account.id];
    report(
      new FieldMistake(`accounts[${index}]`, `no account sends from ${address}; connect it with: outreach account connect ${address}`),
    );
    return [];
  });
}

/** Returns the id of a list that a field names. Throws a `FieldMistake` if no list or several have the name. */
export async function findList(db: Queryable, caller: Caller, field: string, name: string): Promise<number> {
  const [list, another] = await listsNamed(db, caller, name);
  if (list === undefined) throw new FieldMistake(field, `there is no list named "${name}"`);
  if (another !== undefined) throw new FieldMistake(field, `several lists are named "${name}"; rename all but one`);
  return list.id;
}

/**
 * Returns the rules of a file as `subsequences`, with campaigns by id; empty if the file has none. Throws a `FieldMistake` for an unknown
 * campaign.
 */
export async function findSubsequences(
  db: Queryable,
  caller: Caller,
  rules: DeclaredCampaign['subsequences'],
): Promise<{ subsequences?: GivenSubsequence[] }> {
  if (rules === undefined) return {};
  const subsequences: GivenSubsequence[] = [];
  for (const [index, { on, wait_days = 0, campaign: name }] of rules.entries()) {
    const field = `subsequences[${index}].campaign`;
    const [campaign, another] = await campaignsNamed(db, caller, name);
    if (campaign === undefined) throw new FieldMistake(field, `there is no campaign named "${name}"; apply its file first`);
    if (another !== undefined) throw new FieldMistake(field, `several campaigns are named "${name}"; rename all but one`);
    const cause = causeOf(on);
    if (cause !== undefined) subsequences.push({ ...cause, wait_days, campaign_id: campaign.id });
  }
  return { subsequences };
}

/** Parses a planned start: local time in the zone of the campaign, or RFC 3339 with a zone. Throws a `FieldMistake`. */
export function startOf(text: string, timezone: string): Date {
  const start = readStart(text, timezone);
  if (start === undefined) throw new FieldMistake('starts_at', 'must be a time such as 2026-12-01 09:00, in the time zone of the campaign');
  if (!isNearYear(text)) throw new FieldMistake('starts_at', FAR_YEAR);
  return start;
}

function readStart(text: string, timezone: string): Date | undefined {
  const local = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/.exec(text);
  if (local !== null) {
    const read = DateTime.fromISO(`${local[1]}T${local[2]}${local[3] ?? ''}`, { zone: 'utc' });
    if (read.isValid) return atLocalTime(read.toMillis(), timezone);
  }
  const instant = /(Z|[+-]\d\d:\d\d)$/i.test(text) ? DateTime.fromISO(text.replace(' ', 'T')) : null;
  return instant?.isValid ? instant.toJSDate() : undefined;
}
