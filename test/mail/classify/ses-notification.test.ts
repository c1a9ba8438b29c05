import { expect, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { message } from '../../support/inbound-mail.ts';

/** "Amazon SES notifications by SNS email (JSON with notificationType Bounce or Complaint)": hard bounces and complaints. */

const MAIL = {
  messageId: '0102019a-0000-4000-8000-000000000000-000000',
  sourceArn: 'arn:aws:ses:eu-west-1:123456789012:identity/example.com',
  headers: [{ name: 'X-Entity-Ref-ID', value: 'abcdef' }],
  commonHeaders: { messageId: '<abc@example.com>' },
};
const FOOTER =
  '\n\n--\nIf you wish to stop receiving notifications from this topic, please click or visit the link below to unsubscribe:\nhttps://x.example';

async function classify(report: object, isWrapped = false) {
  const json = JSON.stringify(report);
  const text = isWrapped ? JSON.stringify({ Type: 'Notification', Message: json }) : json;
  const raw = message({ From: 'AWS Notifications <no-reply@sns.amazonaws.com>', Subject: 'AWS Notification Message' }, text + FOOTER);
  return (await classifyRaw(Buffer.from(raw))).result;
}
const bounce = (bounceType: string, recipient: object) => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: 'ada@corp.example', ...recipient }] },
  mail: MAIL,
});

it.each([false, true])('a permanent bounce is hard, with its recipient and its email; wrapped by SNS: %s', async (isWrapped) =>
  expect(await classify(bounce('Permanent', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }), isWrapped)).toMatchObject(
    {
      ...{ verdict: 'hard_bounce', recipient: 'ada@corp.example', status: '5.1.1', references: ['abcdef'] },
      originalMessageIds: ['<abc@example.com>', `<${MAIL.messageId}@email.amazonses.com>`, `<${MAIL.messageId}@eu-west-1.amazonses.com>`],
    },
  ));

it.each([
  ['Permanent', {}, 'hard_bounce'],
  ['Transient', {}, 'soft_bounce'],
  ['Undetermined', {}, 'soft_bounce'],
  ['Transient', { diagnosticCode: 'smtp; 552 5.2.2 mailbox full' }, 'soft_bounce'],
])('%s %j is a %s', async (type, recipient, verdict) => expect(await classify(bounce(type, recipient))).toMatchObject({ verdict }));

it('a complaint is one, unless it says that it is no spam', async () => {
  const complaint = (complaintFeedbackType: string) => ({
    eventType: 'Complaint',
    complaint: { complaintFeedbackType, complainedRecipients: [{ emailAddress: 'ada@corp.example' }] },
    mail: MAIL,
  });
  expect(await classify(complaint('abuse'))).toMatchObject({
    verdict: 'feedback_report',
    isComplaint: true,
    recipient: 'ada@corp.example',
  });
  expect(await classify(complaint('not-spam'))).toMatchObject({ verdict: 'feedback_report', isComplaint: false });
});

it.each([
  [{ notificationType: 'Delivery', mail: MAIL }],
  [{ notificationType: 'Bounce', bounce: [], mail: 'x' }],
  [{ Type: 'Notification', Message: '{' }],
])('never throws: %j', async (report) => expect(await classify(report)).toMatchObject({ isComplaint: false }));
