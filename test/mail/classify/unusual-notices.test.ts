import { it } from 'vitest';
import { ADA, expectVerdict, type Notice, RETURNED } from '../../support/notices.ts';

/** Notices with an unusual sender, subject or form, which other signs must identify. All are invented, in the layouts of servers. */
const NOTICES: Notice[] = [
  [
    'mailfoundry',
    'hard_bounce',
    { From: 'Mail Filter <filter@gateway.example>', Subject: 'Message delivery has failed' },
    `Unable to deliver message to: <${ADA}>
Delivery failed for the following reason:
Server mx.recipient.example[192.0.2.9] failed with: 550 <${ADA}> No such user here


This has been a permanent failure.  No further delivery attempts will be made.`,
  ],
  [
    'powermta text',
    'soft_bounce',
    { From: 'mailer@pmta.example', Subject: 'Delivery report' },
    `Hello, this is the mail server on pmta.example.

I am sending you this message to inform you on the delivery status of a
message you previously sent.  Immediately below you will find a list of
the affected recipients;  also attached is a Delivery Status Notification
(DSN) report in standard format, as well as the headers of the original
message.

  <${ADA}>  delivery failed; will not continue trying`,
  ],
  [
    'x6',
    'hard_bounce',
    { From: 'admin@x.example', Subject: 'There was an error sending your mail' },
    `We had trouble delivering your message. Full details follow:

Subject: 'Hello'
Date:    'Mon, 6 Jul 2026 10:00:00'

1 error(s):

SMTP Server <mx.recipient.example> rejected recipient <${ADA}> (Error following RCPT command). It responded as follows: [550 5.1.1 User unknown]`,
  ],
  [
    'x400',
    'hard_bounce',
    { From: 'MTA <MAILER@x400.example>', Subject: 'Delivery Report (failure) for ada@recipient.example' },
    `This report relates to your message:
Subject: Hello,
 Message-ID: <abc@example.com>,
 To: ${ADA}

 of Mon, 6 Jul 2026 10:00:00 +0000

Your message was not delivered to:
 ${ADA}
for the following reason:
 Diagnostic was Unable to transfer, Unrecognised O/R name
Information Bad-Address`,
  ],
  [
    'james',
    'hard_bounce',
    { From: 'James <postmaster@james.example>', Subject: 'Re: Hello [BOUNCE]' },
    `Hi. This is the James mail server at james.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.  Below
I include the list of recipients and the reason why I was unable to deliver
your message.

Failed recipient(s):
${ADA}

Error message:
550 5.1.1 <${ADA}>: user unknown`,
  ],
  [
    'websense',
    'hard_bounce',
    { From: 'EmailSecurity@gw.example', Subject: 'Message could not be delivered' },
    `The following message could not be delivered to one or more recipients.

To: ${ADA}
Reason: 550 5.1.1 RESOLVER.ADR.RecipNotFound; not found`,
  ],
  [
    'null sender subject only',
    'hard_bounce',
    { From: 'noreply@isp.example', Subject: 'Problem with your email', 'Return-Path': '<>' },
    `Hello,

your email to ${ADA} could not be delivered.
The mailbox does not exist.

Your ISP`,
  ],
  [
    'plesk',
    'hard_bounce',
    { From: 'root@host.example', Subject: 'Mail delivery failed' },
    `The e-mail account ${ADA} does not exist at this server. Your message was returned.`,
  ],
  [
    'cisco ces',
    'hard_bounce',
    { From: 'Cisco Secure Email <no-reply@gateway.example>', Subject: 'Undeliverable: Hello' },
    `The following message to <${ADA}> was undeliverable. The reason for the problem: 5.1.2 - Bad destination host 'DNS Hard Error looking up recipient.example (MX): NXDomain'`,
  ],
  [
    'x gateway anonymous',
    'hard_bounce',
    { From: 'gateway@filter.example', Subject: 'Hello' },
    `The message below could not be delivered to:

${ADA}

The remote server said: 550 5.1.1 user unknown

--- Original message ---
${RETURNED}`,
  ],
  [
    'missing boundary',
    'hard_bounce',
    { From: 'info@host.example', Subject: 'Hello', 'Content-Type': 'multipart/report; report-type=delivery-status' },
    `--b
Content-Type: text/plain

Delivery failed.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ${ADA}
Action: failed
Status: 5.1.1
--b--`,
  ],
  [
    'lower case inline status',
    'hard_bounce',
    { From: 'info@host.example', Subject: 'Hello', 'Return-Path': '<>' },
    `Delivery failed.

reporting-mta: dns; mx.example

final-recipient: rfc822; ${ADA}
action: failed
status: 5.1.1
`,
  ],
  [
    'dsn delayed final',
    'soft_bounce',
    {
      From: 'postmaster@host.example',
      Subject: 'Delivery status',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
      'Return-Path': '<>',
    },
    `--b
Content-Type: text/plain

The delivery has been given up; it will not be retried.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ${ADA}
Action: delayed
Status: 4.4.1
--b--`,
  ],
  [
    'null sender, unknown subject',
    'hard_bounce',
    { From: 'robot@host.example', Subject: 'Message status', 'Return-Path': '<>' },
    `Message could not be delivered.

${ADA}: user unknown`,
  ],
  [
    'alibaba, by a gateway',
    'soft_bounce',
    { From: 'Mail Gateway <gateway@filter.example>', Subject: '来自postmaster@mx.example的退信' },
    `很抱歉您发送的邮件被退回，以下是该邮件的相关信息：

无法发送到 ${ADA}
系统应答:
退信原因:收件方邮箱可用容量不足`,
  ],
  [
    'aborted, by a gateway',
    'soft_bounce',
    { From: 'Mail Gateway <gateway@filter.example>', Subject: 'Hello', 'Return-Path': '<>' },
    `This is an automatically generated Delivery Status Notification.

Delivery to the following recipients was aborted after 5.0 hour(s):

  * ${ADA}`,
  ],
  [
    'unable to find',
    'hard_bounce',
    { From: 'Mail Gateway <gateway@filter.example>', Subject: 'Returned mail: Hello' },
    `Unable to find user: <${ADA}>
Please make sure the address is correct and resend your mail.`,
  ],
];

it.each(NOTICES)('%s: %s', expectVerdict);
