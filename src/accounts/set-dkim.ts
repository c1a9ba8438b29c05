import { domainToASCII } from 'node:url';
import { type Caller, missing, saveRecord, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { invalid } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { type DkimRecord, type DkimSetting, dkimKey, dkimRecord, publicKeyOf } from '../mail/dkim.ts';
import { sealDkimKey } from './dkim-key.ts';
import { ACCOUNT, type Account } from './entities.ts';
import { lockAccount } from './lock-account.ts';

const DEFAULT_SELECTOR = 'outreach';
const MAX_SELECTOR = 63;

/** DKIM settings to change. Defaults for a new key: the domain of the address, and the selector `outreach`. */
export interface DkimInput {
  domain?: string | undefined;
  selector?: string | undefined;
  /** A private key in PEM; by default one is generated if domain or selector change. */
  key?: string | undefined;
}

/**
 * Turns DKIM signing (RFC 6376) of an account's emails on, or off with null. Returns the DNS record to publish, null if
 * signing is off. Throws `not_found`, and `invalid_request` naming the field.
 */
export async function setDkim(app: App, caller: Caller, id: number, input: DkimInput | null): Promise<DkimRecord | null> {
  // Generated before the lock is taken, because it takes a while.
  const key = input === null ? null : await dkimKey(input.key);
  return app.db.tx(async (tx) => {
    const account = await lockAccount(tx, caller, id);
    const before = account.dkim;
    const store = (dkim: DkimSetting | null, dkim_secret: string | null) =>
      saveRecord(tx, app, caller, ACCOUNT, account, {
        verb: 'dkim',
        patch: { dkim, dkim_secret },
        audited: () => ({ domain: dkim?.domain ?? null, selector: dkim?.selector ?? null }),
      });
    if (input === null || key === null) {
      await store(null, null);
      return null;
    }
    const domain = signingDomain(input.domain ?? before?.domain, account);
    const selector = checkedSelector(input.selector ?? before?.selector ?? DEFAULT_SELECTOR);
    if (before?.domain === domain && before.selector === selector && input.key === undefined) return dkimRecord(before);
    const dkim = { domain, selector, public_key: publicKeyOf(key) };
    await store(dkim, sealDkimKey(app, id, key));
    return dkimRecord(dkim);
  });
}

/** Reads the DKIM record of an account that the caller may see; null if signing is off. Throws `not_found`. */
export async function getDkim(db: Queryable, caller: Caller, id: number): Promise<DkimRecord | null> {
  const [row] = await db.query<{ dkim: DkimSetting | null }>(
    sql`select a.dkim from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`,
  );
  if (row === undefined) throw missing('accounts');
  return row.dkim === null ? null : dkimRecord(row.dkim);
}

/** Checks the signing domain: only the sender's domain or a parent of it aligns for DMARC (RFC 7489 §3.1.1, relaxed mode). */
function signingDomain(wanted: string | undefined, account: Account): string {
  if (account.provider !== 'smtp')
    throw invalid(`dkim_domain: ${account.provider} signs the emails of its accounts itself; set up DKIM there`);
  const own = domainToASCII(account.email.slice(account.email.lastIndexOf('@') + 1)).toLowerCase();
  const domain = domainToASCII((wanted ?? own).trim().replace(/\.$/, '')).toLowerCase();
  if (!domain.includes('.') || (own !== domain && !own.endsWith(`.${domain}`)))
    throw invalid(`dkim_domain: must be ${own} or a parent domain of it, so that the signature aligns with the sender (DMARC)`);
  return domain;
}

function checkedSelector(selector: string): string {
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(selector) || selector.length > MAX_SELECTOR)
    throw invalid(`dkim_selector: must be letters, digits, hyphens and dots, at most ${MAX_SELECTOR} characters`);
  return selector.toLowerCase();
}
