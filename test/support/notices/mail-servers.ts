import { ADA } from '../notices.ts';
import { FULL, GONE, layout, type Shape, shape } from './shape.ts';

/** Mail servers, from their manuals and from their notices. */
export const MAIL_SERVERS: Shape[] = [
  shape(
    'Postfix (bounce.5)',
    'MAILER-DAEMON@mx.example (Mail Delivery System)',
    {
      gone: 'Undelivered Mail Returned to Sender',
      full: 'Undelivered Mail Returned to Sender',
      late: 'Delayed Mail (still being retried)',
    },
    {
      ...layout(
        (reason) =>
          `This is the mail system at host mx.example.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\nFor further assistance, please send mail to postmaster.\n\n                   The mail system\n\n<${ADA}>: host mx.recipient.example[192.0.2.9] said: ${reason} (in reply to RCPT TO command)`,
        { gone: GONE, full: FULL },
      ),
      late: `This is the mail system at host mx.example.\n\n####################################################################\n# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n####################################################################\n\nYour message could not be delivered for more than 4 hour(s).\nIt will be retried until it is 5 day(s) old.\n\n<${ADA}>: connect to mx.recipient.example[192.0.2.9]:25: Connection timed out`,
    },
  ),
  shape(
    'Exim (specification, chapter 49)',
    'Mail Delivery System <Mailer-Daemon@mx.example>',
    {
      gone: 'Mail delivery failed: returning message to sender',
      full: 'Mail delivery failed: returning message to sender',
      late: 'Warning: message 1rXyZ-0001Ab-2c delayed 24 hours',
    },
    {
      ...layout(
        (reason) =>
          `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${ADA}\n    host mx.recipient.example [192.0.2.9]\n    SMTP error from remote mail server after RCPT TO:<${ADA}>:\n    ${reason}`,
        { gone: GONE, full: FULL },
      ),
      late: `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on mx.example.\n\nThe address to which the message has not yet been delivered is:\n\n  ${ADA}\n    Delay reason: Connection timed out\n\nNo action is required on your part. Delivery attempts will continue for\nsome time.`,
    },
  ),
  shape(
    'qmail (QSBMF)',
    'MAILER-DAEMON@mx.example',
    'failure notice',
    layout(
      (reason) =>
        `Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${ADA}>:\n${reason}`,
      { gone: 'Sorry, no mailbox here by that name. (#5.1.1)', full: 'User is over the quota. You can try again later. (#5.2.2)' },
    ),
    false,
  ),
  shape(
    'Sendmail',
    'Mail Delivery Subsystem <MAILER-DAEMON@mx.example>',
    {
      gone: 'Returned mail: see transcript for details',
      full: 'Returned mail: see transcript for details',
      late: 'Warning: could not send message for past 4 hours',
    },
    {
      ...layout(
        (reason) =>
          `The original message was received at Mon, 6 Jul 2026 10:00:00 GMT\nfrom relay.example [192.0.2.1]\n\n   ----- The following addresses had permanent fatal errors -----\n<${ADA}>\n    (reason: ${reason})\n\n   ----- Transcript of session follows -----\n... while talking to mx.recipient.example.:\n>>> DATA\n<<< ${reason}`,
        { gone: GONE, full: FULL },
      ),
      late: `    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    **********************************************\n\nThe original message was received at Mon, 6 Jul 2026 10:00:00 GMT\n\n   ----- The following addresses had transient non-fatal errors -----\n<${ADA}>\n\n   ----- Transcript of session follows -----\n<${ADA}>... Deferred: Connection timed out with mx.recipient.example.\nWarning: message still undelivered after 4 hours\nWill keep trying until message is 5 days old`,
    },
  ),
  shape(
    'Exchange Online',
    'Microsoft Outlook <postmaster@tenant.example>',
    { gone: 'Undeliverable: Hello', full: 'Undeliverable: Hello', late: 'Delayed: Hello' },
    {
      gone: `Your message to ${ADA} couldn't be delivered.\n\nada wasn't found at recipient.example.\n\nzoe\tOffice 365\tada\nAction Required\t\tRecipient\nUnknown To address\n\nHow to Fix It\nThe address may be misspelled or may not exist. Try one or more of the following:\n  *  Send the message again following these steps: In Outlook, open this non-delivery report (NDR) and choose Send Again from the Report ribbon.\n\nMore Info for Email Admins\nStatus code: 550 5.1.10`,
      full: `Your message to ${ADA} couldn't be delivered.\n\nThe recipient's mailbox is full and can't accept messages now.\n\nMore Info for Email Admins\nStatus code: 554 5.2.2\n\nThis error occurs because the recipient's mailbox has exceeded its storage limit.`,
      late: `Delivery to these recipients or groups is taking a while. We'll keep trying to send the message for 23 hours.\n\n${ADA}`,
    },
  ),
  shape(
    'Exchange Server',
    'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>',
    { gone: 'Undeliverable: Hello', full: 'Undeliverable: Hello', late: 'Delivery delayed:Hello' },
    {
      gone: `Delivery has failed to these recipients or groups:\n\n${ADA}<mailto:${ADA}>\nThe email address you entered couldn't be found. Please check the recipient's email address and try to resend the message. If the problem continues, please contact your helpdesk.\n\nDiagnostic information for administrators:\n\nGenerating server: ex01.corp.example\n\n${ADA}\nRemote Server returned '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'`,
      full: `Delivery has failed to these recipients or groups:\n\n${ADA}<mailto:${ADA}>\nThe recipient's mailbox is full and can't accept messages now. Please try resending your message later, or contact the recipient directly.\n\nDiagnostic information for administrators:\n\nGenerating server: ex01.corp.example\n\n${ADA}\nRemote Server returned '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded'`,
      late: `Delivery is delayed to these recipients or groups:\n\n${ADA}<mailto:${ADA}>\n\nSubject: Hello\n\nThis message hasn't been delivered yet. Delivery will continue to be attempted.\n\nThe server will keep trying to deliver this message for the next 1 days, 19 hours and 55 minutes.`,
    },
  ),
  shape(
    'Exchange 2003',
    'System Administrator <postmaster@corp.example>',
    { gone: 'Undeliverable: Hello', full: 'Undeliverable: Hello', late: 'Delivery Status Notification (Delay)' },
    {
      ...layout(
        (reason) =>
          `Your message did not reach some or all of the intended recipients.\n\n      Subject:\tHello\n      Sent:\t7/6/2026 10:00 AM\n\nThe following recipient(s) could not be reached:\n\n      ${ADA} on 7/6/2026 10:01 AM\n            ${reason}`,
        {
          gone: 'The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.\n            <mx.recipient.example #5.1.1>',
          full: "The message could not be delivered because the recipient's mailbox is full.\n            <mx.recipient.example #5.2.2>",
        },
      ),
      late: `This is an automatically generated Delivery Status Notification.\n\nTHIS IS A WARNING MESSAGE ONLY.\n\nYOU DO NOT NEED TO RESEND YOUR MESSAGE.\n\nDelivery to the following recipients has been delayed.\n\n       ${ADA}`,
    },
  ),
  shape(
    'Domino',
    'postmaster@domino.example',
    {
      gone: `DELIVERY FAILURE: User ada (${ADA}) not listed in Domino Directory`,
      full: 'DELIVERY FAILURE: Ada Lovelace/Recipient is over the mail quota',
    },
    layout((reason) => `Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  ${ADA}\n\nbecause:\n\n  ${reason}`, {
      gone: `User ada (${ADA}) not listed in Domino Directory`,
      full: "Ada Lovelace's mail file is over quota; mailbox full",
    }),
  ),
  shape(
    'Gmail',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    {
      gone: 'Delivery Status Notification (Failure)',
      full: 'Delivery Status Notification (Failure)',
      late: 'Delivery Status Notification (Delay)',
    },
    {
      gone: `** Address not found **\n\nYour message wasn't delivered to ${ADA} because the address couldn't be found, or is unable to receive mail.\n\nLearn more here: https://support.google.com/mail/?p=NoSuchUser\n\nThe response was:\n\n550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces.`,
      full: `** Recipient inbox full **\n\nYour message couldn't be delivered to ${ADA}. Their inbox is full, or it's getting too much mail right now.\n\nThe response was:\n\n452 4.2.2 The email account that you tried to reach is over quota. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaTemp`,
      late: `** Delivery incomplete **\n\nThere was a temporary problem delivering your message to ${ADA}. Gmail will retry for 46 more hours. You'll be notified if the delivery fails permanently.\n\nThe response was:\n\nThe recipient server did not accept our requests to connect.`,
    },
  ),
  shape(
    'Yahoo',
    'MAILER-DAEMON@yahoo.com',
    'Failure Notice',
    layout((reason) => `Sorry, we were unable to deliver your message to the following address.\n\n<${ADA}>:\n${reason}`, {
      gone: "554: delivery error: dd This user doesn't have a yahoo.com account (ada@recipient.example) [-5] - mta1.mail.example",
      full: '552: 1 Requested mail action aborted, user is over quota',
    }),
  ),
];
