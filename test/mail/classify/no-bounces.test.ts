import { expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

const ADA = 'ada@recipient.example';
const PASTED = `This is the mail system at host mx.recipient.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

<bob@recipient.example>: host lmtp[192.0.2.2] said: 550 5.1.1 User unknown`;

type Notice = [name: string, verdict: string, headers: Record<string, string>, body: string];

/** Messages that mention deliveries, but are not bounces. All are invented. */
const NOTICES: Notice[] = [
  [
    'new mail about a bounce',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Problem with your mail' },
    `Hi Zoe,

your mail to Bob could not be delivered, this is what our server says:

${PASTED}

Can you send it again to me?

Ada`,
  ],
  [
    'subject bounce',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Undeliverable mail' },
    `Hi Zoe, I keep getting bounces from your address. Is your mailbox full? I sent the contract to bob2@example.com too.

Ada`,
  ],
  [
    're with pasted bounce',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Re: Hello' },
    `I got this:

${PASTED}

Which address is right?`,
  ],
  [
    're pasted at top',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Re: Hello' },
    `${PASTED}

Which address is right?`,
  ],
  [
    'fwd bounce',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Fwd: Undelivered Mail Returned to Sender' },
    `FYI

---------- Forwarded message ---------
${PASTED}`,
  ],
  [
    'colleague',
    'reply',
    { From: 'Bob <bob@recipient.example>', Subject: 'Your message to Ada' },
    `Dear Zoe,

your message to ${ADA} has reached me. She is not with us any more. What is it about?

Bob`,
  ],
  [
    'address gone by person',
    'reply',
    { From: 'Bob <bob@recipient.example>', Subject: 'Ada' },
    `Dear Zoe,

the address ${ADA} does not exist any more. Please write to me instead.

Regards
Bob`,
  ],
  [
    'sorry not able',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Re: Hello' },
    `I'm afraid I wasn't able to read your message until today. We are interested.`,
  ],
  [
    'sorry unable',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Hello' },
    `Sorry, we are unable to accept your offer. The following users could not be added:

bob@recipient.example

Ada`,
  ],
  [
    'support about delivery',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Delivery problem' },
    `Hi Zoe,

the delivery of our order failed twice. The following addresses were wrong:

Main street 5

Can you help? ${ADA}`,
  ],
  [
    'ooo with null',
    'auto_reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Hello', 'Return-Path': '<>' },
    `I am out of the office until 20 July and cannot be reached by phone. Your message will not be forwarded.

Ada
${ADA}`,
  ],
  [
    'ooo null failing words',
    'auto_reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'Out of office', 'Return-Path': '<>', 'Auto-Submitted': 'auto-replied' },
    `Thank you for your message. I am on vacation. Your mail was not forwarded. In urgent cases write to:

bob@recipient.example`,
  ],
  [
    'left company null',
    'auto_reply',
    {
      From: 'Ada Lovelace <ada@recipient.example>',
      Subject: 'Automatic reply: Hello',
      'Return-Path': '<>',
      'Auto-Submitted': 'auto-replied',
    },
    `Ada is no longer employed with us. Your message has not been forwarded. Please contact bob@recipient.example.`,
  ],
  [
    'newsletter',
    'other',
    { From: 'news@shop.example', Subject: 'Your delivery has failed? Read on', 'List-Unsubscribe': '<https://shop.example/u>' },
    `Delivery problems? The following addresses had issues last year. Read more at our shop. unsubscribe here`,
  ],
  [
    'parcel',
    'other',
    { From: 'no-reply@parcel.example', Subject: 'Delivery failed: your parcel' },
    `We were unable to deliver your parcel to the following address: Main Street 5. Please choose a new date.`,
  ],
  [
    'parcel 2',
    'other',
    { From: 'Parcel Delivery System <no-reply@parcel.example>', Subject: 'Delivery failure notice: parcel 550 512' },
    `Unable to deliver your parcel. The recipient was not found at the address. Please contact service@parcel.example`,
  ],
  [
    'ticket',
    'auto_reply',
    { From: 'support@recipient.example', Subject: '[#123] Hello', 'Auto-Submitted': 'auto-replied' },
    `Your message has been received. A ticket was created. Ticket #123`,
  ],
  [
    'exim success',
    'other',
    {
      From: 'Mail Delivery System <Mailer-Daemon@x.example>',
      Subject: 'Successful Mail Delivery Report',
      'Return-Path': '<>',
      'Auto-Submitted': 'auto-replied',
    },
    `This is the mail system at host x.example.

Your message was successfully delivered to the destination(s)
listed below. If the message was delivered to mailbox you will
receive no further notifications. Otherwise you may still receive
notifications of mail delivery errors from other systems.

<${ADA}>: delivery via local: delivered to mailbox`,
  ],
  [
    'relayed',
    'other',
    { From: 'postmaster@ex.example', Subject: 'Delivery Status Notification (Relay)', 'Return-Path': '<>' },
    `This is an automatically generated Delivery Status Notification.

Your message has been successfully relayed to the following recipients, but the requested delivery status notifications may not be generated by the destination.

${ADA}`,
  ],
  [
    'person to postmaster',
    'reply',
    { From: 'Postmaster Ada <postmaster@recipient.example>', Subject: 'Re: your mails to us' },
    `Hello Zoe,

I am the postmaster here. Your IP was listed, I removed it today. Please try again.

Ada`,
  ],
  [
    'list discussion',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: '550 5.1.1 errors after upgrade' },
    `Hello,

since the upgrade our Postfix refuses mail with

550 5.1.1 <bob@recipient.example>: Recipient address rejected: User unknown

What can I do?

Ada`,
  ],
  [
    'list discussion 2',
    'reply',
    { From: 'Ada Lovelace <ada@recipient.example>', Subject: 'mail delivery problem' },
    `Postfix logs this:

<bob@recipient.example>: host mx.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)

Any ideas?`,
  ],
  [
    'it desk',
    'reply',
    { From: 'IT <it@recipient.example>', Subject: 'Mail server migration' },
    `Dear partners,

this is the new mail server of our company speaking :) From Monday our mail system is at mx2. Messages to the following users could be late.

Regards IT`,
  ],
];

it.each(NOTICES)('%s: %s', async (_, verdict, headers, body) => {
  const raw = message({ 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body.split('\n'));
  const { result } = await classifyRaw(Buffer.from(raw));
  const about = /bounce|delay/.test(verdict) ? { recipient: ADA } : {};
  expect(result).toMatchObject({ verdict, ...about });
});
