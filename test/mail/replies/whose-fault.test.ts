import { describe, expect, it } from 'vitest';
import { classifyReply } from '../../../src/mail/replies/classify-reply.ts';
import type { Reply, ReplyClass } from '../../../src/mail/replies/reply.ts';

const US = 'zoe@own.example';
const THEM = 'pat@prospect.example';

function classOf(phase: Reply['phase'], text: string, recipient = THEM): ReplyClass {
  return classifyReply({ phase, text, code: Number(text.slice(0, 3)), enhanced: null, recipient, sender: US }).class;
}

describe('a refusal about us never touches a contact', () => {
  it.each([
    '550 Domain may not exist or DNS check failed',
    `550 Verification failed for <${US}> No Such User Here`,
    `550 5.1.7 Invalid address <${US}>: sender unknown`,
    `550 The sender's mailbox <${US}> does not exist`,
    '550 MX for your domain own.example does not exist',
    '550 SPF: domain own.example not found',
    '550 DKIM key s1._domainkey.own.example does not exist (no such domain)',
    '550 From: header domain does not exist',
    '550 No such domain own.example',
    `550 unknown user ${US}`,
    '550 5.1.8 <zoe@own.example>: Sender address rejected: Domain not found',
    '550 mail.own.example: host not found',
  ])('%s', (text) => {
    for (const phase of ['rcpt', 'dsn'] as const) expect(['block', 'account']).toContain(classOf(phase, text));
  });

  it.each([
    ['data', '550 5.7.1 This account has been disabled from sending e-mail. Contact your administrator'],
    ['data', '550 Your mailbox has been suspended'],
    ['data', '535 5.7.0 Your account is locked because of too many failed attempts'],
    ['rcpt', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ] as const)('%s: %s', (phase, text) => {
    expect(classOf(phase, text)).toBe('account');
  });

  it.each([
    ['rcpt', '550-Requested action not taken: mailbox unavailable\r\n550 Failure sending mail. Try again later.', 'temp'],
    ['data', '550 Domain own.example has exceeded the max defers and failures per hour (5/5 (100%)) allowed. Message discarded.', 'limit'],
    ['data', '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Actual verdict is RefuseQuota', 'limit'],
    ['data', '450 Requested mail action not taken: mailbox unavailable\r\nMail send limit exceeded.', 'limit'],
    ['data', '550 5.2.0 Message rejected, monthly quota of your plan exceeded', 'limit'],
    ['mail', '451 You have reached your monthly sending quota', 'limit'],
    ['data', '550 5.7.0 Requested action not taken: too many emails per second', 'limit'],
    ['data', '550 sorry, too many emails (#5.7.1)', 'limit'],
    [
      'rcpt',
      "550 5.1.1 <x@rcpt.test>: Recipient address rejected: undeliverable address: host mx.rcpt.test[192.0.2.9] refused to talk to me: 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation",
      'block',
    ],
  ] as const)('%s: %s is %s', (phase, text, wanted) => {
    expect(classOf(phase, text)).toBe(wanted);
  });
});

describe('no word of an address or a domain counts', () => {
  it.each([
    ['spf@prospect.example', '550 5.1.1 <spf@prospect.example> not here'],
    ['bob@barracuda-users.example', '550 5.1.1 <bob@barracuda-users.example> no such user'],
    ['greylist@prospect.example', '550 <greylist@prospect.example> user unknown'],
    ['policy@prospect.example', '550 5.1.1 <policy@prospect.example>: user unknown'],
    ['dmarc@prospect.example', '550 5.1.1 <dmarc@prospect.example> does not exist'],
    ['x@spamhaus-fans.example', '550 5.1.1 mailbox x@spamhaus-fans.example unknown at spamhaus-fans.example'],
    ['later@prospect.example', '550 5.1.1 <later@prospect.example> user unknown'],
    ['quota@limit.example', '550 5.1.1 no such user quota@limit.example at limit.example'],
  ])('%s', (recipient, text) => {
    for (const phase of ['rcpt', 'dsn'] as const) expect(classOf(phase, text, recipient)).toBe('hard');
  });
});

it.each(["550 5.1.1 User dosn't exist", '550 Unknow user', '550 No sush user here'])('big servers misspell: %s is hard', (text) => {
  expect(classOf('rcpt', text)).toBe('hard');
});

it('a server that denies to relay knows nothing of the recipient', () => {
  expect(classOf('dsn', '554 5.7.1 <pat@prospect.example>: Relay access denied')).not.toBe('hard');
});

describe('where the server breaks its lines means nothing (RFC 5321 §4.2.1)', () => {
  it.each([
    [
      'data',
      '550',
      '5.4.5',
      'Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a',
    ],
    ['rcpt', '550', '5.1.1', 'The email account that you tried to reach does not exist. Please try double-checking the address for typos'],
    ['data', '552', '5.7.0', 'This message was blocked because its content presents a potential security issue.'],
    [
      'data',
      '550',
      '5.7.1',
      'Daily SMTP relay sending limit exceeded for customer. For more information please contact your administrator.',
    ],
    ['data', '550', '', 'Domain own.example has exceeded the max emails per hour (125/100 (125%)) allowed. Message discarded.'],
    ['rcpt', '550', '', 'mail.own.example is not permitted to relay through this server without authentication.'],
    ['data', '550', '5.1.90', "Your message can't be sent because you've reached your daily limit for message recipients"],
    ['rcpt', '553', '5.7.1', '<zoe@own.example>: Sender address rejected: not owned by user c@own.example'],
  ] as const)('%s %s %s %s', (phase, code, status, text) => {
    const whole = classOf(phase, `${code} ${status} ${text}`);
    const words = text.split(' ');
    const broken = words.slice(1).map((_, at) => {
      const lines = [`${code}-${status} ${words.slice(0, at + 1).join(' ')}`, `${code} ${status} ${words.slice(at + 1).join(' ')}`];
      return [classOf(phase, lines.join('\r\n')), classOf(phase, lines.join(' '))];
    });
    expect([...new Set(broken.flat())]).toEqual([whole]);
  });
});
