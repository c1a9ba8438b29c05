import { type Caller, changeRecord, type Patch, requireSharing } from '../access/index.ts';
import type { App } from '../app.ts';
import { invalid } from '../core/errors.ts';
import { localDay, zoneOrUtc } from '../core/zone.ts';
import type { Tx } from '../db/transaction.ts';
import { isSignature } from '../templates/index.ts';
import { checkSettings, settingsOf, trackingOrigin } from './check-settings.ts';
import { moveDay } from './days.ts';
import type { Account } from './entities.ts';
import { wakeAccount } from './next-batch.ts';
import { type AccountRow, getAccount } from './read-account.ts';
import { ACCOUNT } from './record.ts';
import type { AccountSettings } from './settings/account-settings.ts';

/** Tags to add to an account and to remove from it. Its other tags stay. */
export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

/**
 * Changes an account's settings and wakes it, so that they take effect immediately. A new time zone does not give it a second day: emails
 * that it sent today count for today in the new zone. Throws `not_found`, and `invalid_request` naming the field.
 */
export async function setAccount(
  app: App,
  caller: Caller,
  id: number,
  patch: Partial<AccountSettings>,
  tagChange?: TagChange,
): Promise<AccountRow> {
  await app.db.tx(async (tx) => {
    const changes = await changeRecord(tx, app, caller, ACCOUNT, id, {
      verb: 'update',
      async patch(account) {
        requireSharing(caller, 'accounts', account, patch.is_shared_to_all);
        const before = settingsOf(account);
        const tags = tagChange === undefined ? patch.tags : changedTags(patch.tags ?? before.tags, tagChange);
        const after = await checkedSettings(tx, caller, before, { ...patch, tags });
        requireSentFolder(patch, account.imap);
        const [today, newToday] = [before, after].map(({ timezone }) => localDay(app.clock.now(), zoneOrUtc(timezone))) as [string, string];
        if (newToday !== today) await moveDay(tx, id, today, newToday);
        return { ...after, ...rampStart(app, before, after) };
      },
    });
    if (changes !== undefined) await wakeAccount(tx, id, app.clock.now());
  });
  return getAccount(app.db, caller, id);
}

const changedTags = (before: readonly string[], { add, remove }: TagChange): string[] =>
  [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));

/** Applies a patch to settings and checks the result. Throws `invalid_request` naming the field. */
export async function checkedSettings(
  tx: Tx,
  caller: Caller,
  before: AccountSettings,
  patch: Partial<AccountSettings>,
): Promise<AccountSettings> {
  const after: AccountSettings = { ...before, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) };
  after.from_name = after.from_name.trim();
  if (after.tracking_host !== null) after.tracking_host = trackingOrigin(after.tracking_host);
  // Without `ramp_start` there is no ramp-up, so its other settings are cleared.
  if (patch.ramp_start === null) Object.assign(after, { ramp_increment: null, ramp_ceiling: null });
  checkSettings(after);
  if (after.signature_template_id !== before.signature_template_id) await requireSignature(tx, caller, after.signature_template_id);
  return after;
}

/** Throws `invalid_request` if copies are to be put into the Sent folder of an account that has none. */
export function requireSentFolder({ sent_copy }: Partial<AccountSettings>, imap: Account['imap'] | undefined): void {
  if (sent_copy === 'append' && imap == null)
    throw invalid("sent_copy: append needs the account's IMAP server; connect the account again with --imap-url, or choose auto");
}

/** Starts a new ramp-up on today's date in the account's time zone, if `ramp_start` changes. */
export function rampStart(app: App, before: AccountSettings, after: AccountSettings): Pick<Patch<Account>, 'ramp_started_on'> {
  if (after.ramp_start === before.ramp_start) return {};
  return { ramp_started_on: after.ramp_start === null ? null : localDay(app.clock.now(), after.timezone) };
}

async function requireSignature(tx: Tx, caller: Caller, id: number | null): Promise<void> {
  if (id === null) return;
  if (!(await isSignature(tx, caller, id))) throw invalid(`signature_template_id: there is no signature with the id ${id}`);
}
