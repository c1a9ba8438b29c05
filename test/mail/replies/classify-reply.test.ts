import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyReply } from '../../../src/mail/replies/classify-reply.ts';
import type { Reply, ReplyClass } from '../../../src/mail/replies/reply.ts';

const reply = (phase: Reply['phase'], text: string): Reply => ({ phase, text, code: Number(text.slice(0, 3)), enhanced: null });

describe('known answers of providers', () => {
  it.each<[ReplyClass, Reply['phase'], string]>([
    [
      'hard',
      'rcpt',
      "550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address",
    ],
    ['hard', 'rcpt', '550 5.2.1 The email account that you tried to reach is disabled.'],
    ['temp', 'rcpt', '450 4.2.1 The user you are trying to contact is receiving mail too quickly.'],
    [
      'temp',
      'rcpt',
      '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
    ],
    ['soft', 'rcpt', '452 4.2.2 The email account that you tried to reach is over quota.'],
    ['soft', 'rcpt', '552 5.2.2 The email account that you tried to reach is over quota.'],
    ['hard', 'rcpt', '552 5.2.2 The recipient inbox is out of storage space and inactive.'],
    ['limit', 'data', '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits'],
    ['limit', 'data', '550 5.4.5 Daily sending quota exceeded'],
    ['temp', 'data', '450 4.2.1 Peak SMTP relay limit exceeded for customer.'],
    ['account', 'auth', '535-5.7.8 Username and Password not accepted. For more information, go to'],
    ['account', 'auth', '534-5.7.9 Application-specific password required.'],
    ['temp', 'auth', '454 4.7.0 Too many login attempts, please try again later.'],
    ['block', 'data', '550-5.7.1 Our system has detected that this message is likely unsolicited mail.'],
    [
      'block',
      'data',
      '550-5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.',
    ],
    ['temp', 'data', '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail.'],
    ['message', 'data', "552-5.3.4 Your message exceeded Google's message size limits."],
    ['hard', 'rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['hard', 'rcpt', '550 5.4.1 Recipient address rejected: Access denied. [AM4PEPF00025F9A.EURPRD83.prod.outlook.com]'],
    ['soft', 'dsn', '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException'],
    ['limit', 'data', '554 5.2.2 Submission quota exceeded'],
    ['limit', 'data', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException'],
    [
      'limit',
      'data',
      '550 5.7.232 - Your message can not be sent because your trial tenant has exceeded its daily limit for sending email to external recipients',
    ],
    ['temp', 'connect', '432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending for more information.'],
    ['account', 'auth', '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.'],
    ['account', 'auth', '550 5.7.30 Basic authentication is not supported for Client Submission.'],
    ['account', 'mail', '550 5.1.8 Access denied, bad outbound sender'],
    ['account', 'data', '550 5.7.705 Access denied, tenant has exceeded threshold'],
    ['block', 'data', '550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level.'],
    ['hard', 'rcpt', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
    ['hard', 'rcpt', "554 delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0]"],
    ['temp', 'mail', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints'],
    ['block', 'data', '553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed.'],
    ['block', 'data', '554 5.7.9 Message not accepted for policy reasons.'],
    ['limit', 'data', '550 5.4.6 Unusual sending activity detected. Please try after sometime'],
    ['account', 'mail', '554 5.1.8 Email Outgoing Blocked: Sender Address Blocked'],
    ['temp', 'data', '454 Throttling failure: Maximum sending rate exceeded.'],
    ['limit', 'data', '454 Throttling failure: Daily message quota exceeded.'],
    ['account', 'data', '554 Message rejected: Email address is not verified. The following identities failed the check'],
    ['account', 'auth', '535 Authentication Credentials Invalid'],
    ['temp', 'rcpt', '450 4.2.0 <x@example.org>: Recipient address rejected: Greylisted, see http://postgrey.example'],
    ['hard', 'rcpt', '550 5.1.1 <x@example.org>: Recipient address rejected: User unknown in virtual mailbox table'],
    ['temp', 'rcpt', '450 4.1.2 <x@example.org>: Recipient address rejected: Domain not found'],
    ['hard', 'rcpt', '556 5.1.10 <x@example.org>: Recipient address rejected: Domain example.org does not accept mail (nullMX)'],
    ['block', 'rcpt', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org'],
    ['soft', 'rcpt', '552 5.2.2 <x@example.org>: Mailbox over quota'],
    ['hard', 'rcpt', '550 Unrouteable address'],
    ['hard', 'rcpt', '550 No such recipient here'],
    ['account', 'rcpt', '550 5.7.1 relaying denied'],
    ['account', 'mail', '553 5.7.1 Sender address rejected: not owned by user'],
    ['temp', 'rcpt', '451 4.3.0 Temporary lookup failure'],
    ['block', 'rcpt', '550 something nobody has seen before'],
  ])('%s at %s: %s', (expected, phase, text) => {
    expect(classifyReply(reply(phase, text)).class).toBe(expected);
  });
});

const LABELLED = join(import.meta.dirname, '../../../../shared/corpus/smtp-responses/smtp-responses.json');
/** Labels with an unambiguous class. */
const CLASS_OF: Record<string, ReplyClass[]> = {
  userunknown: ['hard'],
  user_unknown: ['hard'],
  invalid_address: ['hard', 'block'],
  mailboxfull: ['soft'],
  mailbox_full: ['soft'],
  mesgtoobig: ['message'],
  blacklist: ['block', 'temp'],
  ip_blacklisted: ['block', 'temp'],
  blocked: ['block', 'temp'],
  spam: ['block', 'temp'],
  spamdetected: ['block', 'temp'],
  authfailure: ['block', 'temp'],
  greylist: ['temp'],
  speeding: ['temp', 'block', 'limit'],
  toomanyconn: ['temp', 'limit', 'block'],
  norelaying: ['account', 'block'],
  relay_denied: ['account', 'block'],
};

describe('labelled answers', () => {
  it.skipIf(!existsSync(LABELLED))('at least 95 % of those with a clear label get a class that fits it', () => {
    const samples = (JSON.parse(readFileSync(LABELLED, 'utf8')) as { text: string; category: string }[]).filter(
      ({ category }) => CLASS_OF[category] !== undefined,
    );
    const wrong = samples.filter(
      ({ text, category }) => !CLASS_OF[category]?.includes(classifyReply({ phase: 'rcpt', code: null, enhanced: null, text }).class),
    );
    console.log(`${samples.length - wrong.length} of ${samples.length} fit`);
    for (const { text, category } of wrong)
      console.log(`${category} -> ${classifyReply({ phase: 'rcpt', code: null, enhanced: null, text }).class}: ${text.slice(0, 140)}`);
    expect(wrong.length / samples.length).toBeLessThanOrEqual(0.05);
  });
});
