import { type AuditEntry, audit, type Caller } from '../../access/index.ts';
import { openSmtpSession, uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { getCampaign } from '../../campaigns/index.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { emailAddress, withAsciiDomain } from '../../core/email-address.ts';
import { quantity } from '../../core/english.ts';
import { conflict } from '../../core/errors.ts';
import { type Outcome, SmtpSession } from '../../mail/smtp-session.ts';
import type { EmailLinks } from '../batch/prepare-emails.ts';
import { beyondLimit, permitTest } from '../email/permit.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { testContact } from './test-contact.ts';
import { emailSteps, type TestEmail, writeTests } from './write-tests.ts';

export interface TestInput {
  to: string;
  contact_id?: number | undefined;
  step_order?: number | undefined;
  variant?: 'A' | 'B' | undefined;
}

/** The tests accepted by the account's server. */
export interface SentTests {
  to: string;
  from: string;
  /** Null if the tests were written for their recipient, who is not a contact. */
  contact_id: number | null;
  emails: { step_order: number; variant: 'A' | 'B'; subject: string; message_id: string }[];
}

/**
 * Sends the steps of a campaign to an address of the caller's choice, as a contact would receive them. A test counts for the account's day,
 * but neither in statistics nor as an email to the contact. Throws `not_found`; `invalid_request` for a malformed
 * address; `conflict` for a suppressed address, an account that may not send now, an email that would be held, and a server that
 * refuses a test. In the last case, the tests before it have been sent, as the error message says.
 */
export async function testCampaign(app: App, caller: Caller, campaignId: number, input: TestInput, links: EmailLinks): Promise<SentTests> {
  const { account_id, account_email } = await getCampaign(app.db, caller, campaignId);
  const to = emailAddress(input.to, 'to');
  const contact = await testContact(app, caller, campaignId, input.contact_id, to);
  const steps = await emailSteps(app, caller, campaignId, input.step_order);
  if (await isSuppressed(app.db, app, caller.workspaceId, to)) throw conflict(`to: ${to} is suppressed; nothing is ever sent there`);
  const account = await loadSendingAccount(app, account_id);
  if (account === null) throw conflict(`${account_email} is paused, archived or deleted; resume the account before you test the campaign`);
  const request = { to, contact, steps, stepOrder: input.step_order, variant: input.variant, isMarked: true };
  const emails = await writeTests(app, caller, campaignId, account, request, links);
  await sendAll(app, caller, campaignId, account, to, emails);
  return {
    ...{ to, from: account.email, contact_id: contact.id },
    emails: emails.map(({ step_order, variant, subject, message_id }) => ({ step_order, variant, subject, message_id })),
  };
}

/** Sends tests one after another over one connection, and stops at the first one that the server does not accept. */
async function sendAll(
  app: App,
  caller: Caller,
  campaignId: number,
  account: SendingAccount,
  to: string,
  emails: readonly TestEmail[],
): Promise<void> {
  const session = await openForTests(app, account);
  try {
    for (const [index, email] of emails.entries()) {
      const sent = `${quantity(index, 'test')} sent`;
      const { step_order, variant } = email;
      const entry = { action: 'campaign.test', resourceType: 'campaign', resourceId: campaignId, changes: { to, step_order, variant } };
      const serverSaid = await sendTest(app, caller, { account, session, to, email, entry, sent });
      if (serverSaid !== null)
        throw conflict(`the server of ${account.email} did not accept the test of step ${step_order}: ${serverSaid}; ${sent}`, {
          serverSaid,
        });
    }
  } finally {
    session.close();
  }
}

/** Connects an account to its server and logs in. Throws `conflict`, with the server's words, if that fails. */
export async function openForTests(app: App, account: SendingAccount): Promise<SmtpSession> {
  const session = await openSmtpSession(app, account.id);
  if (session instanceof SmtpSession) return session;
  const serverSaid = textOf(session);
  throw conflict(`the server of ${account.email} can't be reached: ${serverSaid}; nothing was sent`, { serverSaid });
}

/** Returns the server's reply, for an accepted email as for a refused one. */
const textOf = (outcome: Outcome): string => ('text' in outcome ? outcome.text : outcome.response);

/** A test that is about to be sent. */
interface OutgoingTest {
  account: SendingAccount;
  session: SmtpSession;
  to: string;
  email: Pick<TestEmail, 'message'>;
  /** Its entry in the audit log. */
  entry: AuditEntry;
  /** The number of tests sent before it, in words. */
  sent: string;
}

/**
 * Sends a test, which counts for the account's day. Returns null if the server accepts it, else the server's reply. Throws `conflict` if
 * the test may not be sent.
 */
export async function sendTest(app: App, caller: Caller, test: OutgoingTest): Promise<string | null> {
  const { account, session, to, email } = test;
  const countedAt = await requestPermit(app, caller, test);
  const outcome = await session.send({ from: withAsciiDomain(account.email), to: withAsciiDomain(to) }, email.message, async () => true);
  if (outcome.kind === 'accepted') return null;
  if (outcome.kind !== 'uncertain') await app.db.tx((tx) => uncountEmail(tx, account, countedAt));
  return textOf(outcome);
}

/**
 * Requests the permit for a test and writes its audit entry. Throws `conflict` if the permit is refused. Returns the time at which it was
 * counted.
 */
async function requestPermit(app: App, caller: Caller, { account, to, entry, sent }: OutgoingTest): Promise<Date> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const permit = await permitTest(tx, app, beyondLimit(account), to);
    if (permit === 'suppressed') throw conflict(`to: ${to} is suppressed; ${sent}`);
    if (permit !== 'granted') throw conflict(`${account.email} is paused, archived or deleted; ${sent}`);
    await audit(tx, caller, now, entry);
  });
  return now;
}
