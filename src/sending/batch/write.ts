import type { App } from '../../app.ts';
import { contactValues, renderStep, type StepRendering } from '../../campaigns/index.ts';
import { withAsciiDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { composeMessage, UnsafeHeaderError } from '../../mail/compose.ts';
import { signMessage } from '../../mail/sign.ts';
import type { ClaimedMail } from '../outbox/claim.ts';
import { loadThreads, type Thread } from '../outbox/thread.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { loadMailSources, type MailSource } from './mail-source.ts';

/** A claimed mail, written and ready for the server; or the reason why it can't be. */
export interface WrittenMail {
  claim: ClaimedMail;
  /** The address in the envelope: the domain in ASCII (RFC 5890 A-labels). */
  recipient: string;
  subject: string;
  message: Buffer;
  /** Why this mail must be held, in words for a person; null when it can go. */
  problem: string | null;
  /** The connected account to which replies go, or null when that is none. */
  replyAccountId: number | null;
}

/** What is added to a merged mail before it is written: links of ours and headers. Tracking provides it. */
export type Decorate = (
  app: App,
  mail: { outboxId: number; html: string; senderAddress: string; trackOpens: boolean; trackClicks: boolean; trackingHost: string | null },
) => { html: string; headers: Record<string, string> };

/**
 * Reads what the mails of a claim are written from, in two statements.
 * @returns what writes one of them; it never throws, since one that can't be written must not hinder the others
 */
export async function openWriter(
  app: App,
  account: SendingAccount,
  claims: readonly ClaimedMail[],
  decorate: Decorate,
): Promise<(claim: ClaimedMail) => Promise<WrittenMail>> {
  const sources = await loadMailSources(app.db, claims);
  const threads = await loadThreads(
    app.db,
    account.id,
    claims.filter((claim) => claim.is_follow_up).map((claim) => claim.enrolment_id),
  );
  return async (claim) => {
    const source = sources.get(claim.id);
    if (source === undefined) return unwritable(claim, 'its contact or step is gone', null);
    try {
      return await writeMail(app, account, claim, source, threads.get(claim.enrolment_id), decorate);
    } catch (error) {
      return unwritable(claim, error instanceof UnsafeHeaderError ? error.message : `can't be written: ${messageOf(error)}`, source);
    }
  };
}

const unwritable = (claim: ClaimedMail, problem: string, source: MailSource | null): WrittenMail => ({
  claim,
  recipient: claim.recipient,
  subject: '',
  message: Buffer.alloc(0),
  problem,
  replyAccountId: source?.reply_account_id ?? null,
});

async function writeMail(
  app: App,
  account: SendingAccount,
  claim: ClaimedMail,
  source: MailSource,
  thread: Thread | undefined,
  decorate: Decorate,
): Promise<WrittenMail> {
  const { subject, html, unknown } = renderMail(account, claim, source, thread);
  if (unknown.length > 0) return unwritable(claim, `unknown placeholder ${unknown.map((key) => `{{${key}}}`).join(', ')}`, source);
  const decorated = decorate(app, {
    outboxId: claim.id,
    html,
    senderAddress: account.email,
    trackOpens: source.track_opens,
    trackClicks: source.track_clicks,
    trackingHost: source.tracking_host,
  });
  const message = composeMessage({
    from: { name: account.fromName, address: account.email },
    to: { name: source.contact.name, address: claim.recipient },
    replyTo: source.reply_to,
    subject,
    html: decorated.html,
    messageId: claim.message_id,
    reference: claim.message_id.slice(1, claim.message_id.indexOf('@')),
    inReplyTo: thread?.inReplyTo ?? null,
    references: thread?.references ?? [],
    date: app.clock.now(),
    timezone: account.timezone,
    headers: decorated.headers,
  });
  const signed = account.dkim === null ? message : await signMessage(message, account.dkim);
  return {
    claim,
    recipient: withAsciiDomain(claim.recipient),
    subject,
    message: signed,
    problem: null,
    replyAccountId: source.reply_account_id,
  };
}

function renderMail(account: SendingAccount, claim: ClaimedMail, source: MailSource, thread: Thread | undefined): StepRendering {
  return renderStep({
    step: source.step,
    opening: claim.step_order === 1 ? source.step : source.first,
    isB: claim.variant === 'B',
    values: contactValues(source.contact, source.field_keys),
    signatureHtml: account.signatureHtml,
    threadSubject: thread?.subject ?? null,
  });
}
