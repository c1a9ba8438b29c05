import { accountsOfMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { emailValues, type KeptContent, keepContent, keptContent, renderStep } from '../../campaigns/index.ts';
import { withAsciiDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import type { Message } from '../../mail/attached-message.ts';
import { UnsafeHeaderError } from '../../mail/compose.ts';
import { copyId, keyInMessageId } from '../../mail/message-id.ts';
import { loadThreads, type Thread, threadOfCopies } from '../../outbox/index.ts';
import type { ClaimedEmail } from '../email/claim.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { type EmailSource, loadEmailSources } from './email-source.ts';
import { writeEmail } from './write-email.ts';

/** Why an email can't be sent, as a message for users. */
export interface Problem {
  reason: string;
  /**
   * The version of the faulty content; the email is held until it changes. Null if the content is not at fault: the email is retried
   * tomorrow.
   */
  contentVersion: string | null;
}

/** A claimed email, rendered, composed and signed; or the reason why that failed. */
export interface PreparedEmail {
  claim: ClaimedEmail;
  /** RCPT TO of the envelope: the domain in A-labels (RFC 5890 §2.3.2.1). */
  recipient: string;
  subject: string;
  message: Message;
  /** The sources of its text, which the outbox keeps; null if it can't be sent. */
  content: KeptContent | null;
  /** The addresses that get a copy, and a function that writes the copy for one of them; null without copies. */
  copies: { addresses: string[]; write: (address: string) => Promise<Message> } | null;
  /** Null if the email can be sent. */
  problem: Problem | null;
  /** The connected account that gets the replies, or null. */
  replyAccountId: number | null;
  /** Accounts to whose mailboxes earlier emails of the sequence directed replies. */
  promisedAccountIds: readonly number[];
}

/** Fields of an email from which its links are made; `reference` is its X-Entity-Ref-ID. */
interface LinkedEmail {
  outboxId: number;
  optOutAddress: string | null;
  reference: string;
  trackingHost: string | null;
  /** True for a copy (cc or bcc). */
  isCopy?: boolean;
}

/** Adds tracked links, the image and the List-Unsubscribe headers to rendered HTML. Implemented by `decorateEmail` in tracking. */
type Decorate = (
  app: App,
  email: LinkedEmail & { html: string; trackOpens: boolean; trackClicks: boolean },
) => { html: string; headers: Record<string, string> };

/** Functions from tracking that write the links of an email. */
export interface EmailLinks {
  decorate: Decorate;
  /** Implemented by `linkOf` in tracking. */
  linkOf: (app: App, email: LinkedEmail, kind: 'u') => string;
}

/**
 * Loads the sources of claimed emails in two statements.
 * @returns a function that prepares one of them; it never throws, because an email that can't be prepared must not block the others
 */
export async function emailPreparer(
  app: App,
  account: SendingAccount,
  claims: readonly ClaimedEmail[],
  links: EmailLinks,
): Promise<(claim: ClaimedEmail) => Promise<PreparedEmail>> {
  const sources = await loadEmailSources(app, account.id, claims);
  const followUps = claims.filter((claim) => claim.is_follow_up).map((claim) => ({ id: claim.enrolment_id, recipient: claim.recipient }));
  const threads = followUps.length === 0 ? null : await loadThreads(app.db, await accountsOfMailbox(app.db, account.id), followUps);
  return async (claim) => {
    const source = sources.get(claim.id);
    if (source === undefined) return unprepared(claim, { reason: 'its contact or step is gone', contentVersion: null }, null);
    try {
      return await prepareEmail(app, { account, claim, source, thread: threads?.get(claim.enrolment_id), links });
    } catch (error) {
      const reason = error instanceof UnsafeHeaderError ? error.message : `can't be written: ${messageOf(error)}`;
      return unprepared(claim, { reason, contentVersion: null }, source);
    }
  };
}

const unprepared = (claim: ClaimedEmail, problem: Problem, source: EmailSource | null): PreparedEmail => ({
  claim,
  recipient: claim.recipient,
  subject: '',
  message: Buffer.alloc(0),
  content: null,
  copies: null,
  problem,
  replyAccountId: source?.reply_account_id ?? null,
  promisedAccountIds: source?.promised_account_ids ?? [],
});

/** Contacts held for this reason stay held until their address, its verification or the option changes. */
const RISKY_ADDRESS = 'the address is risky or bad, as contact show says (skip_risky)';

async function prepareEmail(app: App, parts: MessageParts): Promise<PreparedEmail> {
  const { claim, source } = parts;
  if (source.is_avoided) return unprepared(claim, { reason: RISKY_ADDRESS, contentVersion: source.content_version }, source);
  const { subject, message, content, fault } = await renderMessage(app, parts);
  if (fault !== null || content === null) return unprepared(claim, { reason: fault ?? '', contentVersion: source.content_version }, source);
  await keepContent(app.db, claim.step_id, content);
  const addresses = [...(source.copies?.cc ?? []), ...(source.copies?.bcc ?? [])];
  return {
    claim,
    recipient: withAsciiDomain(claim.recipient),
    subject,
    message,
    content,
    copies: addresses.length === 0 ? null : { addresses, write: (address) => writeCopy(app, parts, address) },
    problem: null,
    replyAccountId: source.reply_account_id,
    promisedAccountIds: source.promised_account_ids,
  };
}

interface MessageParts {
  account: SendingAccount;
  claim: ClaimedEmail;
  source: EmailSource;
  thread: Thread | undefined;
  links: EmailLinks;
}

/**
 * Writes the copy for an address, with its own Message-ID: replies and bounces to it say nothing about the contact (docs/sending.md,
 * Copies).
 */
async function writeCopy(app: App, { claim, thread, ...parts }: MessageParts, address: string): Promise<Message> {
  const idOf = (messageId: string) => copyId(app.sealer, messageId, address);
  const own = { ...claim, message_id: idOf(claim.message_id) };
  return (await renderMessage(app, { ...parts, claim: own, thread: thread && threadOfCopies(thread, idOf) }, true)).message;
}

interface RenderedMessage {
  subject: string;
  message: Message;
  content: KeptContent | null;
  fault: string | null;
}

/** Renders the email, or a copy of it, and composes its message. The message is empty if there is a fault. */
async function renderMessage(app: App, parts: MessageParts, isCopy = false): Promise<RenderedMessage> {
  const { account, claim, source, thread, links } = parts;
  const reference = keyInMessageId(claim.message_id);
  const linked = { outboxId: claim.id, optOutAddress: source.opt_out_address, reference, trackingHost: source.tracking_host, isCopy };
  const sender = { unsubscribe_url: links.linkOf(app, linked, 'u'), postal_address: source.postal_address };
  const values = emailValues(source.contact, source.field_keys, sender);
  const { subject, html, content, fault } = renderStep({
    step: source.step,
    opening: claim.step_order === 1 ? source.step : source.first,
    isB: claim.variant === 'B',
    stepOrder: claim.step_order,
    contactId: claim.contact_id,
    values,
    signatureHtml: account.signatureHtml,
    footerHtml: source.footer_html,
    spintax: source.spintax,
    threadSubject: thread?.subject ?? null,
  });
  if (fault !== null) return { subject, message: Buffer.alloc(0), content: null, fault };
  const decorated = links.decorate(app, { ...linked, html, trackOpens: source.track_opens, trackClicks: source.track_clicks });
  const message = await writeEmail(app, account, {
    to: { name: source.contact.name, address: claim.recipient },
    cc: source.copies?.cc,
    replyTo: source.reply_to,
    subject,
    html: decorated.html,
    textHtml: html,
    messageId: claim.message_id,
    thread,
    startedAt: source.enrolled_at,
    listId: source.list_id,
    attachments: source.attachments,
    headers: decorated.headers,
  });
  return { subject, message, content: keptContent(content, values), fault: null };
}
