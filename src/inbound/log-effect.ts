import type { App } from '../app.ts';
import { domainOf } from '../core/email-address.ts';
import type { Verdict } from '../mail/classify/index.ts';
import { replyCode } from '../mail/replies/reply-code.ts';
import type { Match, Reading } from './match.ts';

const WORDS: Record<Verdict, string> = {
  reply: 'email answered',
  auto_reply: 'email answered automatically',
  unsubscribe_request: 'email answered with a removal request',
  hard_bounce: 'email bounced',
  soft_bounce: 'email bounced temporarily',
  delay: 'email delayed',
  feedback_report: 'complaint about an email',
  other: 'message about an email',
};

/** Logs a message about one of our emails, in one line without addresses. `account` is the account that sent the email. */
export function logEffect({ log }: App, mailboxId: number, { result }: Reading, { email, writer }: Match): void {
  const code = replyCode([result.status ?? '', ...result.reasons].join(' '));
  const fields = { outbox: email.outboxId, campaign: email.campaignId, account: email.senderId, mailbox: mailboxId };
  log.info({ ...fields, domain: domainOf(email.recipient), writer, ...(code === null ? {} : { code }) }, WORDS[result.verdict]);
}
