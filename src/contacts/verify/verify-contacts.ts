import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { domainOf } from '../../core/email-address.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { formatTimestamp } from '../../core/timestamp-text.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { type MailLookups, publicName, receptionOf } from '../../mail-domains/index.ts';
import type { Judgement, Verification } from '../verification.ts';
import { bouncedDomains } from './bounced-domains.ts';
import { verifierOf } from './hook.ts';
import { judge } from './judge.ts';

/** Maximum number of contacts per call, because the caller waits for the result. */
export const MAX_VERIFIED = 1_000;
const CONCURRENT_HOOKS = 20;
/** Time after which the verifier gets no further addresses. */
const LAST_HOOK = 40 * SECOND;

/** A contact whose address was checked. */
export interface VerifiedContact {
  id: number;
  email: string;
  verification: Verification;
}

type Checked = Pick<VerifiedContact, 'id' | 'email'>;

/**
 * Checks the addresses of contacts and stores the verdicts. Applies the rules of `judge` first, and sends addresses that are not bad to the
 * verifier of the setting `verify_url`, if there is one. Don't call it inside a transaction, because it waits for name servers and the
 * verifier. An address that was changed meanwhile gets no verdict.
 * @param ids contacts, at most 1,000; those that the caller can't see are left out
 * @param elapsed milliseconds of a monotonic clock, for the time limit of the call
 */
export async function verifyContacts(
  app: App,
  caller: Caller,
  ids: readonly number[],
  dns: MailLookups,
  elapsed = () => performance.now(),
): Promise<VerifiedContact[]> {
  const contacts = await app.db.query<Checked>(
    sql`select c.id, c.email from contacts c where c.id = any(${ids}::int[]) and ${visible(caller, 'contacts', 'c')} order by c.id`,
  );
  const judged = await askVerifier(app, await judgeAll(app, caller, contacts, dns, elapsed), elapsed);
  const checked_at = formatTimestamp(app.clock.now());
  const verified = judged.map(({ id, email, judgement }) => ({ id, email, verification: { ...judgement, checked_at } }));
  await storeVerdicts(app.db, verified);
  return verified;
}

type Judged = Checked & { judgement: Judgement };

async function judgeAll(
  app: App,
  caller: Caller,
  contacts: readonly Checked[],
  dns: MailLookups,
  elapsed: () => number,
): Promise<Judged[]> {
  const domains = [...new Set(contacts.map(({ email }) => domainOf(email)))].filter((domain) => publicName(domain) !== null);
  const receptions = await receptionOf(app, dns, domains, elapsed);
  const bounces = await bouncedDomains(app.db, caller.workspaceId, app.clock.now(), domains);
  return contacts.map((contact) => {
    const domain = domainOf(contact.email);
    const facts = { reception: receptions.get(domain) ?? null, bounced: bounces.get(domain) ?? 0 };
    return { ...contact, judgement: judge(contact.email, facts) };
  });
}

/** Sends addresses that are not bad already to the verifier of the installation. */
async function askVerifier(app: App, judged: readonly Judged[], elapsed: () => number): Promise<readonly Judged[]> {
  const ask = verifierOf(app);
  if (ask === undefined) return judged;
  const begun = elapsed();
  return inParallel(judged, CONCURRENT_HOOKS, async (one) => {
    if (one.judgement.verdict === 'bad') return one;
    if (elapsed() - begun < LAST_HOOK) return { ...one, judgement: await ask(one.email) };
    return { ...one, judgement: { verdict: 'unknown', reason: 'the verifier is too slow for so many addresses', source: 'hook' } };
  });
}

/** Stores the verdicts, in the order of ids. Index: contacts_pkey. */
async function storeVerdicts(db: Queryable, verified: readonly VerifiedContact[]): Promise<void> {
  await db.query(sql`
    with given as (
      select c.id, v.verification from unnest(${verified.map(({ id }) => id)}::int[], ${verified.map(({ email }) => email)}::text[],
        ${verified.map(({ verification }) => JSON.stringify(verification))}::jsonb[]) v (id, email, verification)
      join contacts c on c.id = v.id and c.email = v.email order by c.id for no key update of c)
    update contacts c set verification = g.verification from given g where c.id = g.id`);
}
