import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import {
  attachmentsOf,
  emailValues,
  getCampaign,
  listSteps,
  optOutAddress,
  previewSender,
  renderStep,
  type StepRow,
} from '../../campaigns/index.ts';
import { listCustomFields } from '../../contacts/index.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Message } from '../../mail/attached-message.ts';
import { keyInMessageId, keyOfBits, messageIdOf } from '../../mail/message-id.ts';
import type { Thread } from '../../outbox/index.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';
import type { EmailLinks } from '../batch/prepare-emails.ts';
import { writeEmail } from '../batch/write-email.ts';
import type { SendingAccount } from '../state/account-state.ts';
import type { TestContact } from './test-contact.ts';

/** A test of one step, ready to be sent. */
export interface TestEmail {
  step_order: number;
  variant: 'A' | 'B';
  subject: string;
  message_id: string;
  message: Message;
}

export interface TestRequest {
  /** Recipient of the tests. */
  to: string;
  contact: TestContact;
  /** Result of `emailSteps`. */
  steps: readonly [StepRow, ...StepRow[]];
  stepOrder?: number | undefined;
  variant?: 'A' | 'B' | undefined;
  /** True to put `[Test]` before the subject. */
  isMarked: boolean;
}

/** Links of a test are signed for email 0, which never exists, so they neither unsubscribe nor count anybody. */
const NO_EMAIL = 0;

/** Returns the email steps of a campaign. Throws `invalid_request` if there are none, or if the campaign has no email step `named`. */
export async function emailSteps(
  app: App,
  caller: Caller,
  campaignId: number,
  named: number | undefined,
): Promise<[StepRow, ...StepRow[]]> {
  const [opening, ...others] = (await listSteps(app.db, caller, campaignId)).filter(({ kind }) => kind === 'email');
  if (opening === undefined) throw invalid('the campaign has no email step; add one before you test it');
  const steps: [StepRow, ...StepRow[]] = [opening, ...others];
  if (named !== undefined && steps.every(({ step_order }) => step_order !== named))
    throw invalid(`step_order: the campaign has no email step ${named}`);
  return steps;
}

/**
 * Writes the email steps of a campaign as a contact would receive them, headers and footer included, with three exceptions: the recipient,
 * `[Test]` before the subject, and links and an image that count and unsubscribe nobody. Follow-ups are threaded below the test of the
 * previous step. If no variant is requested, B is written for steps in which it differs. Throws `conflict` for an email that would be
 * held.
 */
export async function writeTests(
  app: App,
  caller: Caller,
  campaignId: number,
  account: SendingAccount,
  request: TestRequest,
  links: EmailLinks,
): Promise<TestEmail[]> {
  const { steps } = request;
  const [opening] = steps;
  const campaign = await campaignParts(app, caller, campaignId, account);
  const emails: TestEmail[] = [];
  for (const variant of ['A', 'B'] as const) {
    if (request.variant !== undefined && request.variant !== variant) continue;
    const own = { subject: '', thread: undefined as Thread | undefined };
    for (const step of steps) {
      if (request.stepOrder !== undefined && step.step_order !== request.stepOrder) continue;
      if (variant === 'B' && request.variant === undefined && !differs(step, opening)) continue;
      const email = await writeTest(app, account, { step, opening, variant, thread: own.thread, request, campaign, links });
      own.thread = threadWith(own.thread, email);
      emails.push(email);
    }
  }
  return emails.sort((one, other) => one.step_order - other.step_order);
}

const differs = (step: StepRow, opening: StepRow): boolean => step.body_html_b !== null || opening.subject_b !== null;

interface CampaignParts {
  replyTo: string | null;
  trackingHost: string | null;
  listId: string | null;
  optOutAddress: string | null;
  trackOpens: boolean;
  trackClicks: boolean;
  sender: Awaited<ReturnType<typeof previewSender>>;
  fieldKeys: string[];
  /** By step id. */
  attachments: ReadonlyMap<number, readonly AttachedFile[]>;
}

async function campaignParts(app: App, caller: Caller, campaignId: number, account: SendingAccount): Promise<CampaignParts> {
  const { reply_to } = await getCampaign(app.db, caller, campaignId);
  const fields = await listCustomFields(app.db, caller);
  const [row] = await app.db.query<{
    tracking_host: string | null;
    list_id: string | null;
    opt_out_address: string | null;
    track_opens: boolean;
    track_clicks: boolean;
  }>(sql`
    select a.tracking_host, a.list_id, c.track_opens, c.track_clicks, ${optOutAddress('c', 'a')} as opt_out_address
    from accounts a join campaigns c on c.id = ${campaignId} where a.id = ${account.id}`);
  return {
    replyTo: reply_to,
    trackingHost: row?.tracking_host ?? null,
    listId: row?.list_id ?? null,
    optOutAddress: row?.opt_out_address ?? null,
    trackOpens: row?.track_opens ?? false,
    trackClicks: row?.track_clicks ?? false,
    sender: await previewSender(app, caller, campaignId),
    fieldKeys: fields.map(({ key }) => key),
    attachments: await attachmentsOf(app.db, campaignId),
  };
}

interface TestParts {
  step: StepRow;
  opening: StepRow;
  variant: 'A' | 'B';
  thread: Thread | undefined;
  request: TestRequest;
  campaign: CampaignParts;
  links: EmailLinks;
}

async function writeTest(app: App, account: SendingAccount, parts: TestParts): Promise<TestEmail> {
  const { step, opening, variant, thread, request, campaign, links } = parts;
  const messageId = messageIdOf(keyOfBits(randomBits(app)), account.email);
  const linked = {
    outboxId: NO_EMAIL,
    optOutAddress: campaign.optOutAddress,
    reference: keyInMessageId(messageId),
    trackingHost: campaign.trackingHost,
  };
  const sender = { ...campaign.sender.values, unsubscribe_url: links.linkOf(app, linked, 'u') };
  const rendered = (of: StepRow, threadSubject: string | null) =>
    renderStep({
      ...{ step: of, opening, isB: variant === 'B', stepOrder: of.step_order, contactId: request.contact.id ?? 0, threadSubject },
      values: emailValues(request.contact, campaign.fieldKeys, sender),
      signatureHtml: account.signatureHtml,
      footerHtml: campaign.sender.footerHtml,
      spintax: campaign.sender.spintax,
    });
  const isFollowUp = step !== opening;
  const { subject, html, fault } = rendered(step, isFollowUp ? rendered(opening, null).subject : null);
  if (fault !== null) throw conflict(`step ${step.step_order}: ${fault}; nothing was sent`);
  const decorated = links.decorate(app, { ...linked, html, trackOpens: campaign.trackOpens, trackClicks: campaign.trackClicks });
  const marked = request.isMarked ? withMark(subject, isFollowUp) : subject;
  const message = await writeEmail(app, account, {
    to: { name: '', address: request.to },
    replyTo: campaign.replyTo,
    subject: marked,
    html: decorated.html,
    textHtml: html,
    messageId,
    thread,
    startedAt: app.clock.now(),
    listId: campaign.listId,
    attachments: campaign.attachments.get(step.id) ?? [],
    headers: decorated.headers,
  });
  return { step_order: step.step_order, variant, subject: marked, message_id: messageId, message };
}

const withMark = (subject: string, isFollowUp: boolean): string =>
  subject.startsWith('Re: ') && isFollowUp ? `Re: [Test] ${subject.slice('Re: '.length)}` : `[Test] ${subject}`;

/** Returns 130 random bits for `keyOfBits`. */
const randomBits = ({ random }: App): bigint =>
  Array.from({ length: 13 }, () => BigInt(random.integer(0, 1_023))).reduce((bits, ten) => (bits << 10n) | ten, 0n);

const threadWith = (thread: Thread | undefined, { subject, message_id }: TestEmail): Thread => ({
  subject: thread?.subject ?? subject.replace(/^(?:re:\s*)+/i, ''),
  firstMessageId: thread?.firstMessageId ?? message_id,
  inReplyTo: message_id,
  references: [...(thread?.references ?? []), message_id],
  messageIds: [...(thread?.messageIds ?? []), message_id],
});
