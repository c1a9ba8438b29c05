import type { KeyObject } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type Caller, missing, saveRecord, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { invalid } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import {
  type DkimAlgorithm,
  type DkimKey,
  type DkimRecord,
  type DkimSigner,
  dkimRecord,
  ed25519Key,
  KEY_OVERLAP,
  publicKeyOf,
  rsaKey,
  SIGNATURE_LIFETIME,
} from '../mail/dkim.ts';
import { openDkimKeys, sealDkimKeys } from './dkim-key.ts';
import type { Account } from './entities.ts';
import { lockAccount } from './lock-account.ts';
import { ACCOUNT } from './record.ts';

const DEFAULT_SELECTOR = 'outreach';
const MAX_LABEL = 63;
/** Each key needs a selector of its own (RFC 8463 §3). */
const ED25519_SUFFIX = '-ed25519';

/** DKIM settings to change. Defaults for a new key: the domain of the address, and the selector `outreach`. */
export interface DkimInput {
  domain?: string | undefined;
  selector?: string | undefined;
  /** An RSA key in PEM; by default one is generated if domain or selector change. */
  key?: string | undefined;
  /** True to sign with an Ed25519 key too, whose selector ends in `-ed25519`. */
  ed25519?: boolean | undefined;
}

type Key = DkimKey & DkimSigner;
type NewKeys = Record<DkimAlgorithm, KeyObject>;

/**
 * Turns DKIM signing (RFC 6376) of an account's emails on, or off with null. Keys that are replaced under another name continue to sign for
 * a week, and their records are needed until the last signature has expired. Returns the DNS records to publish or keep; empty if signing
 * is off. Throws `not_found`, `invalid_request` naming the field, and `conflict` if existing keys can't be decrypted.
 */
export async function setDkim(app: App, caller: Caller, id: number, input: DkimInput | null): Promise<DkimRecord[]> {
  // Generated before taking the lock, because it takes a while.
  const fresh = input === null ? null : { rsa: await rsaKey(input.key), ed25519: await ed25519Key() };
  return app.db.tx(async (tx) => {
    const account = await lockAccount(tx, caller, id);
    const present = presentKeys(app, account, input);
    const keys = input === null || fresh === null ? [] : changedKeys(present, account, input, fresh, app.clock.now());
    const isSame = keys.length === present.length && keys.every((key, index) => key === present[index]);
    if (!isSame || keys.length === 0) await storeKeys(tx, app, caller, account, keys);
    return keys.map(dkimRecord);
  });
}

function storeKeys(tx: Tx, app: App, caller: Caller, account: Account, keys: readonly Key[]): Promise<unknown> {
  const dkim = keys.map(
    ({ domain, selector, algorithm, public_key, until }): DkimKey => ({ domain, selector, algorithm, public_key, until }),
  );
  const secret = () =>
    sealDkimKeys(
      app,
      account.id,
      keys.map(({ privateKey }) => privateKey),
    );
  return saveRecord(tx, app, caller, ACCOUNT, account, {
    verb: 'dkim',
    patch: dkim.length === 0 ? { dkim: null, dkim_secret: null } : { dkim, dkim_secret: secret() },
    audited: () => ({ domain: dkim[0]?.domain ?? null, selectors: dkim.map(({ selector }) => selector) }),
  });
}

/** Returns the keys of the account; none if they can't be decrypted and the request brings a new key or turns signing off. */
function presentKeys(app: App, { id, dkim, dkim_secret }: Account, input: DkimInput | null): Key[] {
  try {
    return openDkimKeys(app, { id, dkim: dkim ?? null, dkim_secret: dkim_secret ?? null });
  } catch (error) {
    if (input !== null && input.key === undefined) throw error;
    return [];
  }
}

/** Returns the keys after a change: the current ones, RSA first, then the former ones that are still needed. */
function changedKeys(present: readonly Key[], account: Account, input: DkimInput, fresh: NewKeys, now: Date): Key[] {
  const isCurrent = ({ until }: DkimKey) => until === null;
  const current = present.filter(isCurrent);
  // Its names are valid even if the key can't be decrypted.
  const rsa = account.dkim?.find(isCurrent);
  const domain = signingDomain(input.domain ?? rsa?.domain, account);
  const selector = checkedSelector(input.selector ?? rsa?.selector ?? DEFAULT_SELECTOR);
  const wanted: DkimAlgorithm[] = (input.ed25519 ?? current.some((key) => key.algorithm === 'ed25519')) ? ['rsa', 'ed25519'] : ['rsa'];
  const keys = wanted.map((algorithm): Key => {
    const name = { domain, selector: algorithm === 'rsa' ? selector : checkedSelector(`${selector}${ED25519_SUFFIX}`) };
    const same = current.find((key) => key.algorithm === algorithm && isNamed(key, name));
    if (same !== undefined && (algorithm !== 'rsa' || input.key === undefined)) return same;
    const privateKey = fresh[algorithm];
    return { ...name, algorithm, public_key: publicKeyOf(privateKey), until: null, privateKey };
  });
  const until = new Date(now.getTime() + KEY_OVERLAP).toISOString();
  const isRotated = rsa !== undefined && !isNamed(rsa, { domain, selector });
  const former = present
    .filter((key) => !keys.some((other) => isNamed(key, other)) && (isRotated || key.until !== null))
    .map((key) => (key.until === null ? { ...key, until } : key))
    .filter((key) => Date.parse(key.until ?? until) + SIGNATURE_LIFETIME > now.getTime());
  return [...keys, ...former];
}

/** True if the key has that name. A name in DNS has one key. */
const isNamed = (key: DkimKey, { domain, selector }: Pick<DkimKey, 'domain' | 'selector'>) =>
  key.domain === domain && key.selector === selector;

/** Reads the DKIM records of an account that the caller may see; none if signing is off. Throws `not_found`. */
export async function getDkim(db: Queryable, caller: Caller, id: number): Promise<DkimRecord[]> {
  const [row] = await db.query<{ dkim: DkimKey[] | null }>(
    sql`select a.dkim from accounts a where a.id = ${id} and ${visible(caller, 'accounts', 'a')}`,
  );
  if (row === undefined) throw missing('accounts');
  return (row.dkim ?? []).map(dkimRecord);
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
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(selector) || selector.length > MAX_LABEL)
    throw invalid(`dkim_selector: must be letters, digits, hyphens and dots, at most ${MAX_LABEL} characters`);
  return selector.toLowerCase();
}
