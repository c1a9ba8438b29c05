import { describe, expect, it } from 'vitest';
import { classifyReply } from '../../../src/mail/replies/classify-reply.ts';
import type { Reply, ReplyClass } from '../../../src/mail/replies/reply.ts';

/** Replies that providers document or are known to send, the phase in which they come, and the class that they must get. */
const ANSWERS: Record<string, [ReplyClass, Reply['phase'], string][]> = {
  Google: [
    ['temp', 'connect', '421 4.3.0 Temporary System Problem. Try again later'],
    ['temp', 'rcpt', '421 4.4.5 Server busy, try again later.'],
    ['temp', 'data', '421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address.'],
    ['temp', 'connect', '421 4.7.0 TLS required for RCPT domain, closing connection.'],
    ['temp', 'rcpt', '450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.'],
    ['temp', 'data', '451 4.3.0 Mail server temporarily rejected message.'],
    ['temp', 'data', '451 4.4.2 Timeout - closing connection.'],
    ['temp', 'rcpt', '452 4.5.3 Domain policy size per transaction exceeded, please try this recipient in a separate transaction.'],
    ['temp', 'auth', '454 4.7.0 Cannot authenticate due to temporary system problem. Try again later.'],
    ['account', 'auth', '535 5.7.8 Username and Password not accepted.'],
    ['account', 'auth', '530 5.5.1 Authentication Required.'],
    ['account', 'mail', '530 5.7.0 Must issue a STARTTLS command first.'],
    ['account', 'auth', '534 5.7.9 Please log in with your web browser and then try again.'],
    ['account', 'auth', '534 5.7.14 Please log in through your web browser'],
    ['account', 'auth', '535 5.7.1 Application-specific password required'],
    ['account', 'auth', '538 5.7.11 Encryption required for requested authentication mechanism'],
    ['limit', 'data', '550 5.4.5 Daily SMTP relay sending limit exceeded for user. For more information on SMTP relay sending limits'],
    ['limit', 'data', '550 5.4.5 Daily sending quota exceeded.'],
    ['limit', 'data', '550 5.4.5 Daily user sending quota exceeded.'],
    ['account', 'mail', '550 5.7.0 Mail relay denied'],
    [
      'account',
      'data',
      '550 5.7.0 Mail Sending denied. This error occurs if the sender account is disabled or not registered within your Google Workspace domain.',
    ],
    ['limit', 'data', '550 5.7.1 Email quota exceeded.'],
    [
      'account',
      'mail',
      "550 5.7.1 Invalid credentials for relay. The IP address you have registered in your Google Workspace SMTP Relay service doesn't match",
    ],
    ['block', 'data', "550 5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers."],
    [
      'block',
      'data',
      '550 5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent.',
    ],
    ['block', 'data', '550 5.7.1 Unauthenticated email is not accepted from this domain.'],
    ['hard', 'rcpt', "553 5.1.2 We weren't able to find the recipient domain. Please check for any spelling errors"],
    ['message', 'data', '552 5.7.0 This message was blocked because its content presents a potential security issue.'],
    ['message', 'data', "552 5.3.4 The number of attachments (501) exceeds Google's limit of 500 attachments."],
    ['hard', 'rcpt', '553 5.1.3 The recipient address <x> is not a valid RFC-5321 address.'],
    ['message', 'data', '554 5.6.0 Mail message is malformed. Not accepted.'],
    ['temp', 'data', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your SPF domain'],
    ['temp', 'data', '421 4.7.26 This mail has been rate limited because it is unauthenticated.'],
    ['temp', 'data', '421 4.7.40 Your email has been rate limited because the From: header is not aligned'],
    ['block', 'data', '550 5.7.25 The IP address sending this message does not have a PTR record setup'],
    ['block', 'data', '550 5.7.27 This mail has been blocked because SPF does not pass'],
    ['block', 'data', '550 5.7.28 There is an unusual rate of unsolicited mail originating from your IP address.'],
  ],
  Microsoft: [
    ['temp', 'rcpt', '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded'],
    ['temp', 'dsn', '4.4.316 Connection refused [Message=Socket error code 10061]'],
    ['account', 'mail', '550 5.1.8 Access denied, bad outbound sender AS(42004)'],
    ['hard', 'rcpt', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
    ['limit', 'data', "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"],
    ['limit', 'data', '550 5.2.2 Submission quota exceeded'],
    ['soft', 'dsn', '554 5.2.2 mailbox full; mailbox full'],
    ['message', 'dsn', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
    [
      'temp',
      'dsn',
      "550 5.2.121 RESOLVER.RST.RecipientThreadLimitExceeded; recipient's per hour message receive limit from specific sender exceeded",
    ],
    ['soft', 'dsn', '550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour'],
    ['hard', 'dsn', '550 5.4.310 DNS domain example.org does not exist'],
    ['account', 'mail', '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM'],
    ['account', 'mail', '550 5.7.60 SMTP; Client does not have permissions to send as this sender'],
    ['account', 'data', '554 5.2.252 SendAsDenied; a@b not allowed to send as c@d'],
    [
      'block',
      'rcpt',
      '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
    ],
    ['block', 'rcpt', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
    ['account', 'data', '550 5.7.501 Access denied, spam abuse detected from example.com'],
    ['account', 'data', '550 5.7.502 Access denied, banned sender'],
    ['account', 'connect', '550 5.7.511 Access denied, banned sender[192.0.2.1]'],
    ['block', 'rcpt', '550 5.7.606 Access denied, banned sending IP [192.0.2.1]'],
    ['temp', 'rcpt', '451 4.7.500-699 Server busy. Please try again later from [192.0.2.1]. (S77719)'],
    ['temp', 'rcpt', '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.'],
    ['temp', 'mail', '421 4.7.66 TLS 1.0 and 1.1 are not supported.'],
    [
      'block',
      'data',
      '550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject',
    ],
    [
      'limit',
      'data',
      "550 5.7.233 Your message can't be sent because your tenant exceeded its daily limit for sending email to external recipients (tenant external recipient rate limit)",
    ],
    ['account', 'data', '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP'],
    ['account', 'auth', '535 5.7.3 Authentication unsuccessful [XX.PROD.OUTLOOK.COM]'],
    ['account', 'auth', '535 5.7.139 Authentication unsuccessful, the user credentials were incorrect.'],
    ['temp', 'auth', '454 4.7.0 Temporary authentication failure'],
    ['temp', 'data', '432 4.3.2 Concurrent connections limit exceeded.'],
    [
      'account',
      'data',
      '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due to a permanent exception with message WASCL UserAction verdict is not None. Actual verdict is Suspend, ShowTierUpgrade.',
    ],
    [
      'block',
      'rcpt',
      "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    ],
    [
      'temp',
      'connect',
      "421 RP-001 (BAY) Unfortunately, some messages from 192.0.2.1 weren't sent. The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.",
    ],
    ['block', 'data', "550 SC-001 (BAY) Unfortunately, messages from 192.0.2.1 weren't sent."],
  ],
  Yahoo: [
    ['temp', 'rcpt', '451 4.3.2 Internal error reading data'],
    ['temp', 'mail', '421 4.7.1 [TSS03] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed.'],
    ['temp', 'connect', '421 4.16.55 [TSS05] All messages from 192.0.2.1 will be temporarily deferred'],
    ['hard', 'data', '554 30 Sorry, your message to x@yahoo.com cannot be delivered. This mailbox is disabled (554.30).'],
    ['hard', 'rcpt', '552 1 Requested mail action aborted, mailbox not found'],
    ['soft', 'data', '552 5.2.2 Over quota'],
    ['block', 'data', '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes'],
    ['block', 'connect', "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list"],
    ['temp', 'data', '451 Message temporarily deferred - [160]'],
    ['limit', 'data', '550 Request failed; Mailbox unavailable; You have exceeded your daily sending limit'],
    ['block', 'data', '554 Email rejected'],
  ],
  Zoho: [
    ['account', 'auth', '535 Authentication Failed'],
    ['account', 'mail', '530 Must issue a STARTTLS command first.'],
    ['account', 'rcpt', '553 Relaying disallowed as x@example.com'],
    ['account', 'data', '554 5.1.8 Email Outgoing Blocked'],
    ['account', 'auth', '554 5.1.8 Sender Address Blocked'],
    ['limit', 'data', '550 5.4.6 Unusual sending activity detected. Please try after sometime'],
    ['limit', 'rcpt', '550 5.4.6 Daily sending limit exceeded'],
    ['hard', 'rcpt', '550 5.1.1 <x@zoho.com> User unknown'],
    ['block', 'data', '541 5.4.1 Mail rejected by destination domain'],
    ['temp', 'rcpt', '452 4.3.1 Temporary System Error'],
    ['temp', 'rcpt', '451 4.7.1 Greylisted, please try again'],
    ['block', 'data', '550 5.7.1 Email rejected per DMARC policy for example.com'],
    ['message', 'data', '552 5.7.1 virus Win.Test.EICAR_HDB-1 detected by Zoho Mail'],
  ],
  'Amazon SES': [
    ['temp', 'connect', '421 Too many concurrent SMTP connections'],
    ['temp', 'data', '451 Temporary service failure'],
    ['temp', 'auth', '454 Temporary authentication failure'],
    ['message', 'data', '552 Message is too long.'],
    ['account', 'auth', '530 Authentication required'],
    ['account', 'data', "554 Access denied: User 'arn:aws:iam::1:user/x' is not authorized to perform 'ses:SendRawEmail' on resource"],
    [
      'account',
      'data',
      '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: x',
    ],
    [
      'account',
      'data',
      '554 Message rejected: Sending paused for this account. For more information, please check the inbox of the email address associated with your AWS account.',
    ],
    ['account', 'data', '554 Sending is disabled for the account'],
    ['account', 'auth', '535 Authentication Credentials Invalid'],
    ['message', 'data', '554 Transaction failed: Duplicate header'],
    ['message', 'data', '554 Transaction failed: Address list did not contain any addresses'],
    ['message', 'data', "554 Transaction failed: Missing final '@domain'"],
    ['hard', 'rcpt', '501 Invalid RCPT TO address provided'],
    ['account', 'mail', '501 Invalid MAIL FROM address provided'],
    ['temp', 'data', '451 4.4.2 Timeout waiting for data from client.'],
  ],
  Postfix: [
    ['hard', 'rcpt', '550 5.1.1 <x@example.org>: Recipient address rejected: User unknown in local recipient table'],
    ['hard', 'rcpt', '550 5.1.0 <x@example.org>: Recipient address rejected: User unknown in relay recipient table'],
    ['account', 'rcpt', '554 5.7.1 <x@example.org>: Relay access denied'],
    ['account', 'rcpt', '454 4.7.1 <x@example.org>: Relay access denied'],
    ['account', 'mail', '553 5.7.1 <a@b>: Sender address rejected: not logged in'],
    ['temp', 'rcpt', '451 4.3.5 Server configuration error'],
    ['temp', 'connect', '421 4.7.0 mx Error: too many connections from 192.0.2.1'],
    ['temp', 'mail', '421 4.4.2 mx Error: timeout exceeded'],
    ['soft', 'rcpt', '450 4.7.1 <x>: Recipient address rejected: Policy Rejection- Quota Exceeded'],
    ['temp', 'mail', '450 4.7.1 Error: too much mail from 192.0.2.1'],
    ['temp', 'mail', '452 4.3.1 Insufficient system storage'],
    ['message', 'mail', '552 5.3.4 Message size exceeds fixed limit'],
    ['block', 'connect', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using bl.spamcop.net'],
    ['block', 'rcpt', '550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]'],
    ['temp', 'rcpt', '450 4.7.25 Client host rejected: cannot find your hostname'],
    ['message', 'data', '550 5.7.1 Message content rejected'],
    ['limit', 'rcpt', '450 4.7.1 <u@x>: Sender address rejected: sending limit exceeded'],
    ['account', 'auth', '535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6'],
    ['temp', 'auth', '454 4.7.0 Temporary authentication failure: Connection lost to authentication server'],
    ['account', 'mail', '530 5.7.0 Must issue a STARTTLS command first'],
  ],
  Exim: [
    ['hard', 'rcpt', '550 unknown user'],
    ['hard', 'rcpt', '550 Unknown user'],
    ['hard', 'rcpt', '550-Callback setup failed while verifying <x>\r\n550 No such user here'],
    ['account', 'rcpt', '550 relay not permitted'],
    ['account', 'rcpt', '550 relay not permitted, authentication required'],
    ['block', 'rcpt', '550 Sender verify failed'],
    ['temp', 'rcpt', '451 Temporary local problem - please try later'],
    ['temp', 'rcpt', '451-could not complete sender verify callout\r\n451 Could not complete sender verify'],
    ['temp', 'connect', '421 Too many concurrent SMTP connections; please try again later.'],
    ['temp', 'mail', '452 space shortage, please try later'],
    ['message', 'mail', '552 Message size exceeds maximum permitted'],
    ['block', 'data', '550 Administrative prohibition'],
    ['block', 'data', '550 This message was classified as SPAM and may not be delivered'],
    ['account', 'auth', '535 Incorrect authentication data'],
    ['limit', 'rcpt', '550 Domain example.com has exceeded the max emails per hour (200/200 (100%)) allowed.  Message discarded.'],
    ['limit', 'data', '550 5.7.1 Sender rate overlimit - 100.2 / 1h'],
    ['temp', 'rcpt', '452 too many recipients'],
    ['temp', 'rcpt', '451 4.7.1 Sorry, the service is currently busy. Please come back later'],
  ],
  'other providers': [
    [
      'limit',
      'data',
      '554 5.7.0 Your message could not be sent. The limit on the number of allowed outgoing messages was exceeded. Try again later.',
    ],
    ['limit', 'mail', '550 5.7.1 User has exceeded the daily mail limit'],
    ['limit', 'mail', '451 4.7.1 You have exceeded your hourly sending limit'],
    ['limit', 'rcpt', '452 4.3.1 Sender quota exceeded'],
  ],
};

describe.each(Object.entries(ANSWERS))('%s', (_provider, answers) => {
  it.each(answers)('%s at %s: %s', (expected, phase, text) => {
    const code = /^\d{3} /.test(text) ? Number(text.slice(0, 3)) : null;
    expect(classifyReply({ phase, text, code, enhanced: null })).toMatchObject({ class: expected });
  });
});

describe('whatever a server says', () => {
  const limits = Object.values(ANSWERS)
    .flat()
    .filter(([kind]) => kind === 'limit');

  it('a limit of ours never counts against a recipient, also where the provider repeats it in other capitals and over several lines', () => {
    for (const [, phase, text] of limits) {
      const folded = `${text.slice(0, 40)}\r\n${text.slice(40)}`;
      for (const variant of [text.toUpperCase(), text.toLowerCase(), folded])
        expect(classifyReply({ phase, text: variant, code: Number(text.slice(0, 3)), enhanced: null }).class, variant).not.toBe('hard');
    }
  });
});
