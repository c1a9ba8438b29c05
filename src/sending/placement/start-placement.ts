import { type Caller, daemon, visible } from '../../access/index.ts';
import {
  accountsToRepeat,
  addPlacement,
  canBePolled,
  checkedSeeds,
  getAccount,
  mailProviderOf,
  type Placement,
  type PlacementTest,
  readPlacements,
  requireOpenSeeds,
  type Seed,
  type SeedRequest,
} from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { isSameAddress } from '../../core/email-address.ts';
import { quantity } from '../../core/english.ts';
import { conflict, invalid, messageOf } from '../../core/errors.ts';
import { formatTimestamp } from '../../core/timestamp-text.ts';
import { sql } from '../../db/statement.ts';
import { providerOfDomain } from '../../mail-domains/index.ts';
import type { EmailLinks } from '../batch/prepare-emails.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { openForTests, sendTest } from '../test-emails/send-tests.ts';
import { testContact } from '../test-emails/test-contact.ts';
import { emailSteps, type TestEmail, writeTests } from '../test-emails/write-tests.ts';

export interface PlacementInput {
  /** Accounts whose mailboxes receive the email. */
  to: readonly number[];
  /** Further mailboxes, which are not accounts. Their credentials are stored encrypted as long as we search for the email. */
  seeds?: readonly SeedRequest[] | undefined;
  /** Defaults to the account's newest campaign. */
  campaign_id?: number | undefined;
  /** Defaults to the campaign's first email. */
  step_order?: number | undefined;
}

/** A mailbox that receives an email of a test. */
interface Receiver extends Pick<Placement, 'account_id' | 'email' | 'provider'> {
  seed?: Seed;
}

/**
 * Sends a step of an account's campaign, exactly as contacts would get it, to mailboxes of the workspace and to seeds, and stores each
 * place as `waiting`. Like tests (`testCampaign`), the emails count for the account's day, and their links belong to no contact. Throws
 * `not_found`; `invalid_request` for an unknown receiver, campaign or step; `conflict` if the account can't send or a mailbox can't be
 * read. Seeds are checked by `checkedSeeds` and `requireOpenSeeds`, which may throw, before anything is sent.
 */
export async function startPlacement(
  app: App,
  caller: Caller,
  accountId: number,
  input: PlacementInput,
  links: EmailLinks,
): Promise<PlacementTest> {
  const { email: sender } = await getAccount(app.db, caller, accountId);
  // Errors in the request are reported before conflicts with the current state.
  const accounts = await receiversOf(app, caller, accountId, input.to);
  const seeds = await checkedSeeds(app, caller, input.seeds ?? []);
  if (seeds.some(({ email }) => isSameAddress(email, sender))) throw invalid("seeds: an account can't test its own mailbox");
  const campaignId = await campaignOf(app, caller, accountId, input.campaign_id);
  const steps = await emailSteps(app, caller, campaignId, input.step_order);
  const account = await loadSendingAccount(app, accountId);
  if (account === null) throw conflict('the account is paused, archived or deleted; resume it before you test where its emails arrive');
  const receivers = [...requireReadable(accounts), ...(await seedReceivers(app, seeds))];
  const stepOrder = input.step_order ?? steps[0].step_order;
  const addressed = await writeEmails(app, caller, { account, campaignId, steps, stepOrder, links }, receivers);
  const results = await sendEmails(app, caller, account, campaignId, addressed);
  const subject = addressed[0]?.email.subject ?? '';
  const test = { sent_at: formatTimestamp(app.clock.now()), campaign_id: campaignId, step_order: stepOrder, subject, results };
  const waiting = addressed.flatMap(({ receiver: { seed }, email: { message_id } }) =>
    seed === undefined ? [] : [{ ...seed, message_id }],
  );
  await app.db.tx((tx) => addPlacement(tx, app, accountId, test, waiting));
  return test;
}

type AccountReceiver = Receiver & { can_be_read: boolean };

/** Reads the accounts that receive the email. Throws `invalid_request`. */
async function receiversOf(app: App, caller: Caller, accountId: number, ids: readonly number[]): Promise<AccountReceiver[]> {
  const rows = await app.db.query<AccountReceiver>(sql`
    select a.id as account_id, a.email, ${mailProviderOf('a')} as provider, ${canBePolled('a')} as can_be_read
    from accounts a where a.id = any(${[...ids]}::int[]) and ${visible(caller, 'accounts', 'a')} order by a.id`);
  const missing = ids.find((id) => rows.every(({ account_id }) => account_id !== id));
  if (missing !== undefined) throw invalid(`to: there is no account ${missing}`);
  if (ids.includes(accountId)) throw invalid("to: an account can't test its own mailbox, where nothing is filtered");
  return rows;
}

/** Returns the accounts as receivers. Throws `conflict` for an account whose mailbox can't be read. */
function requireReadable(accounts: readonly AccountReceiver[]): Receiver[] {
  const unread = accounts.find(({ can_be_read }) => !can_be_read);
  if (unread !== undefined) throw conflict(`to: the mailbox of ${unread.email} can't be read; connect it with --imap-url`);
  return accounts.map(({ can_be_read: _, ...receiver }) => receiver);
}

/** Returns the seeds as receivers, after a successful login to each. Throws `conflict`. */
async function seedReceivers(app: App, seeds: readonly Seed[]): Promise<Receiver[]> {
  await requireOpenSeeds(app, seeds);
  const rows = await app.db.query<{ email: string; provider: string | null }>(sql`
    select s.email, ${providerOfDomain(sql`address_domain(s.email)`)} as provider from unnest(${seeds.map(({ email }) => email)}::text[]) s (email)`);
  const providers = new Map(rows.map(({ email, provider }) => [email, provider]));
  return seeds.map((seed) => ({ account_id: null, email: seed.email, provider: providers.get(seed.email) ?? null, seed }));
}

/** Returns the campaign whose email is sent. Throws `invalid_request` if the requested one has no email, `conflict` if the account has none. */
async function campaignOf(app: App, caller: Caller, accountId: number, wanted: number | undefined): Promise<number> {
  const [campaign] = await app.db.query<{ id: number }>(sql`
    select c.id from campaigns c
    where c.account_id = ${accountId} and c.id = coalesce(${wanted ?? null}::int, c.id) and ${visible(caller, 'campaigns', 'c')}
      and exists (select from steps t where t.campaign_id = c.id and t.kind = 'email' and t.deleted_at is null)
    order by c.is_archived, c.id desc limit 1`);
  if (campaign !== undefined) return campaign.id;
  if (wanted === undefined) throw conflict('the account has no campaign with an email to send');
  throw invalid(`campaign_id: the account has no campaign ${wanted} with an email to send`);
}

interface AddressedEmail {
  receiver: Receiver;
  email: TestEmail;
}

interface Source {
  account: SendingAccount;
  campaignId: number;
  steps: Awaited<ReturnType<typeof emailSteps>>;
  stepOrder: number;
  links: EmailLinks;
}

/** Writes an email with its own Message-ID for each receiver. */
async function writeEmails(app: App, caller: Caller, source: Source, receivers: readonly Receiver[]): Promise<AddressedEmail[]> {
  const { account, campaignId, steps, stepOrder, links } = source;
  const addressed: AddressedEmail[] = [];
  for (const receiver of receivers) {
    const contact = await testContact(app, caller, campaignId, undefined, receiver.email);
    const request = { to: receiver.email, contact, steps, stepOrder, variant: 'A' as const, isMarked: false };
    const [email] = await writeTests(app, caller, campaignId, account, request, links);
    if (email !== undefined) addressed.push({ receiver, email });
  }
  return addressed;
}

async function sendEmails(
  app: App,
  caller: Caller,
  account: SendingAccount,
  campaignId: number,
  addressed: readonly AddressedEmail[],
): Promise<Placement[]> {
  const session = await openForTests(app, account);
  const results: Placement[] = [];
  try {
    for (const { receiver, email } of addressed) {
      const { account_id, email: to, provider } = receiver;
      const changes = { to, campaign_id: campaignId, step_order: email.step_order };
      const entry = { action: 'account.placement', resourceType: 'account', resourceId: account.id, changes };
      const sent = `${quantity(results.length, 'email')} sent`;
      const problem = await sendTest(app, caller, { account, session, to, email, entry, sent });
      const place = problem === null ? 'waiting' : 'refused';
      const seen = { folder: null, authentication: null, dkim_keys: [], problem };
      results.push({ account_id, email: to, provider, message_id: email.message_id, place, ...seen });
    }
  } finally {
    session.close();
  }
  return results;
}

/**
 * Repeats the newest test of each account with repetition switched on, a week later, for its connected mailboxes. A failure is logged and
 * retried at the next run.
 */
export async function repeatPlacements(app: App, links: EmailLinks): Promise<void> {
  const weekAgo = formatTimestamp(new Date(app.clock.now().getTime() - 7 * DAY));
  for (const { id, workspace_id } of await accountsToRepeat(app.db, weekAgo)) {
    const caller = daemon(workspace_id);
    const { tests } = await readPlacements(app.db, caller, id);
    const latest = tests.find(({ results }) => connectedIn(results).length > 0);
    if (latest === undefined) continue;
    const { campaign_id, step_order, results } = latest;
    try {
      await startPlacement(app, caller, id, { to: connectedIn(results), campaign_id, step_order }, links);
    } catch (error) {
      app.log.warn({ account: id, reason: messageOf(error) }, 'could not repeat a placement test');
    }
  }
}

/** Returns the accounts among the mailboxes of a test. */
const connectedIn = (results: readonly Placement[]): number[] => results.flatMap(({ account_id }) => account_id ?? []);
