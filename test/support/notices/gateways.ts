import { ADA } from '../notices.ts';
import { FULL, GONE, layout, type Shape, shape } from './shape.ts';

/** Gateways, filters and smaller servers. */
export const GATEWAYS: Shape[] = [
  shape(
    'Mimecast',
    'Mail Delivery Subsystem <postmaster@mimecast.example>',
    {
      gone: '[Postmaster] Email Delivery Failure',
      full: '[Postmaster] Email Delivery Failure',
      late: '[Postmaster] Email Delivery Warning',
    },
    {
      ...layout(
        (reason) =>
          `This is a delivery failure notification message indicating that\nan email you addressed to email address :\n-- ${ADA}\n\ncould not be delivered. The problem appears to be :\n-- Recipient server refused the email\n\nAdditional information follows :\n-- ${reason}\n\nThis condition occurred after 1 attempt(s) to deliver over\na period of 0 hour(s).`,
        { gone: `5.1.1 <${ADA}>: User unknown`, full: `5.2.2 <${ADA}>: mailbox is full` },
      ),
      late: `This is a delivery delay notification message indicating that\nan email you addressed to email address :\n-- ${ADA}\n\nhas not yet been delivered. The problem appears to be :\n-- Recipient server unavailable or busy\n\nDelivery will be attempted again.`,
    },
  ),
  shape(
    'Proofpoint',
    'Mail Delivery Subsystem <MAILER-DAEMON@pphosted.example>',
    'Returned mail: see transcript for details',
    layout(
      (reason) =>
        `The original message was received at Mon, 6 Jul 2026 10:00:00 GMT\nfrom m0001.ppops.example [127.0.0.1]\n\n   ----- The following addresses had permanent fatal errors -----\n<${ADA}>\n    (reason: ${reason})\n\n   ----- Transcript of session follows -----\n<<< ${reason}`,
      { gone: GONE, full: FULL },
    ),
  ),
  shape(
    'Barracuda',
    'MAILER-DAEMON@barracuda.example',
    'Undelivered Mail Returned to Sender',
    layout(
      (reason) =>
        `This is the Barracuda Spam Firewall at barracuda.example.\n\nI'm sorry to inform you that the message below could not be delivered.\nWhen delivery was attempted, the following error was returned.\n\n<${ADA}>: host mx.recipient.example[192.0.2.9] said: ${reason} (in reply to RCPT TO command)`,
      { gone: GONE, full: FULL },
    ),
  ),
  shape(
    'IronPort',
    'Mail Delivery System <MAILER-DAEMON@ironport.example>',
    {
      gone: 'Delivery Status Notification (Failure)',
      full: 'Delivery Status Notification (Failure)',
      late: 'Delivery Status Notification (Delay)',
    },
    {
      ...layout((reason) => `The following message to <${ADA}> was undeliverable.\nThe reason for the problem:\n${reason}`, {
        gone: `5.1.0 - Unknown address error 550-'5.1.1 <${ADA}>: User unknown'`,
        full: `5.2.2 - Mailbox full 552-'Mailbox size limit exceeded'`,
      }),
      late: `The following message to <${ADA}> is delayed.\nThe message has not yet been delivered; delivery attempts will continue.\nThe reason for the problem:\n4.3.2 - Not accepting messages at this time`,
    },
  ),
  shape(
    'Symantec Email Security.cloud',
    'MAILER-DAEMON@messagelabs.example',
    'Mail Delivery Failure',
    layout(
      (reason) =>
        `This is the mail delivery agent at messagelabs.example.\nI was unable to deliver your message to the following addresses:\n\n${ADA}\n\nReason: ${reason}\n\nThe message subject was: Hello\nThe message date was: Mon, 6 Jul 2026 10:00:00 +0000`,
      { gone: `550 Invalid recipient <${ADA}> (#5.1.1)`, full: '552 5.2.2 Over quota' },
    ),
    false,
  ),
  shape(
    'FortiMail',
    'MAILER-DAEMON@fortimail.example',
    'Returned mail: see transcript for details',
    layout(
      (reason) =>
        `The original message was received at Mon, 6 Jul 2026\nfrom [192.0.2.1]\n\n   ----- The following addresses had permanent fatal errors -----\n<${ADA}>\n\n   ----- Transcript of session follows -----\n... while talking to mx.recipient.example.:\n<<< ${reason}`,
      { gone: GONE, full: FULL },
    ),
  ),
  shape(
    'CommuniGate Pro',
    'MAILER-DAEMON@cgp.example',
    'Undeliverable mail: Hello',
    layout((reason) => `Failed to deliver to '${ADA}'\n${reason}`, {
      gone: `SMTP module(domain recipient.example) reports:\n host mx.recipient.example says:\n 550 5.1.1 User unknown`,
      full: `LOCAL module(account ada) reports:\n account is full (quota exceeded)`,
    }),
  ),
  shape(
    'MDaemon',
    'MDaemon@mdaemon.example',
    'Permanent Delivery Failure',
    layout(
      (reason) =>
        `The attached message had PERMANENT fatal delivery errors.\n\nAfter one or more unsuccessful delivery attempts the attached message has\nbeen removed from the mail queue on this server.\n\nFailed address: ${ADA}\n\n--- Session Transcript ---\n--> RCPT To:<${ADA}>\n<-- ${reason}\n--- End Transcript ---`,
      { gone: GONE, full: FULL },
    ),
    false,
  ),
  shape(
    'Kerio Connect',
    'Kerio Connect <postmaster@kerio.example>',
    'Mail delivery failed',
    layout(
      (reason) =>
        `Your message could not be delivered to the following recipients:\n\n<${ADA}>\n\n${reason}\n\nThis is an automatically generated message.`,
      { gone: `Remote server replied: 550 5.1.1 ${ADA}... User unknown`, full: 'Remote server replied: 552 5.2.2 Mailbox full' },
    ),
  ),
  shape(
    'MailEnable',
    'Postmaster <postmaster@me.example>',
    'Message Delivery Failure',
    layout(
      (reason) =>
        `MailEnable: Message could not be delivered to some recipients.\n\nThe following recipient(s) could not be reached:\n\n\tRecipient: [SMTP:${ADA}]\n\tReason: ${reason}\n\nMessage headers follow:`,
      { gone: 'Remote SMTP Server Returned: 550 No such user here', full: 'Remote SMTP Server Returned: 552 Mailbox quota exceeded' },
    ),
    false,
  ),
  shape(
    'SmarterMail',
    'System Administrator <postmaster@sm.example>',
    'Delivery Failure',
    layout(
      (reason) =>
        `Could not deliver message to the following recipient(s):\n\nFailed Recipient: ${ADA}\nReason: Remote host said: ${reason}\n\n   -- The header and top 20 lines of the message follows --`,
      { gone: '550 5.1.1 User unknown', full: '552 5.2.2 Mailbox full' },
    ),
    false,
  ),
  shape(
    'GroupWise',
    'Mailer-Daemon@gw.example',
    'Message status - undeliverable',
    layout((reason) => `The message that you sent was undeliverable to the following:\n\tada (${reason})\n\n${ADA}`, {
      gone: `550 no such recipient ${ADA}`,
      full: 'mailbox full',
    }),
  ),
  shape(
    'Courier',
    '"Courier mail server at mx.example" <@mx.example:MAILER-DAEMON@mx.example>',
    { gone: 'NOTICE: mail delivery status.', full: 'NOTICE: mail delivery status.', late: 'WARNING: delayed mail.' },
    {
      ...layout(
        (reason) =>
          `This is a delivery status notification from mx.example,\nrunning the Courier mail server, version 1.3.\n\nThe original message was received on Mon, 6 Jul 2026 10:00:00 +0000\nfrom relay.example\n\n---------------------------------------------------------------------------\n\n                           UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<${ADA}>:\n    mx.recipient.example [192.0.2.9]:\n>>> RCPT TO:<${ADA}>\n<<< ${reason}`,
        { gone: GONE, full: FULL },
      ),
      late: `This is a delivery status notification from mx.example,\nrunning the Courier mail server, version 1.3.\n\n                              WARNING\n\nThis is only a warning message! Your message to the following recipients is still being attempted:\n\n<${ADA}>:\n    Connection timed out`,
    },
  ),
  shape(
    'OpenSMTPD',
    'Mailer Daemon <MAILER-DAEMON@mx.example>',
    {
      gone: 'Delivery status notification: error',
      full: 'Delivery status notification: error',
      late: 'Delivery status notification: warning',
    },
    {
      ...layout(
        (reason) =>
          `    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\n${ADA}: ${reason}\n\n    Below is a copy of the original message:`,
        { gone: '550 5.1.1 User unknown', full: '552 5.2.2 Mailbox full' },
      ),
      late: `    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    A message is delayed for more than 4 hours for the following\n    list of recipients:\n\n${ADA}: 421 Try again later\n\n    Please note that this is only a temporary failure report.\n    The message is kept in the queue for up to 4 days.\n    You DO NOT NEED to re-send the message to these recipients.`,
    },
  ),
  shape(
    'PowerMTA',
    'mailer@pmta.example',
    'Delivery report',
    layout(
      (reason) =>
        `Hello, this is the mail server on pmta.example.\n\nI am sending you this message to inform you on the delivery status of a\nmessage you previously sent.  Immediately below you will find a list of\nthe affected recipients;  also attached is a Delivery Status Notification\n(DSN) report in standard format, as well as the headers of the original\nmessage.\n\n  <${ADA}>  delivery failed; will not continue trying (${reason})`,
      { gone: GONE, full: FULL },
    ),
  ),
  shape(
    'Amazon SES',
    'MAILER-DAEMON@amazonses.example',
    'Delivery Status Notification (Failure)',
    layout((reason) => `An error occurred while trying to deliver the mail to the following recipients:\n${ADA}\n${reason}`, {
      gone: GONE,
      full: FULL,
    }),
  ),
  shape(
    'Zoho',
    'mailer-daemon@mail.zoho.example',
    'Undelivered Mail Returned to Sender',
    layout(
      (reason) =>
        `This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n${ADA}, ERROR CODE :${reason}`,
      { gone: '550 - 5.1.1 User unknown', full: '552 - 5.2.2 Mailbox full' },
    ),
    false,
  ),
  shape(
    'GMX',
    'GMX Mailer Daemon <mailer-daemon@gmx.example>',
    'Mail delivery failed: returning message to sender',
    layout(
      (reason) =>
        `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address(es) failed:\n\n"${ADA}":\nSMTP error from remote server for RCPT TO command, host: mx.recipient.example (192.0.2.9) reason: ${reason}`,
      { gone: GONE, full: FULL },
    ),
    false,
  ),
  shape(
    'iCloud',
    'Mail Delivery System <MAILER-DAEMON@icloud.example>',
    'Undelivered Mail Returned to Sender',
    layout((reason) => `Your message wasn't delivered to ${ADA}.\n\nDiagnostic code: ${reason}`, {
      gone: '550 5.1.1 user does not exist',
      full: '552 5.2.2 user is over quota',
    }),
  ),
  shape(
    'Haraka, ZoneMTA',
    'Mail Delivery Subsystem <mailer-daemon@zone.example>',
    'Delivery Status Notification (Failure)',
    layout(
      (reason) =>
        `Delivery to the following recipient failed permanently:\n    ${ADA}\n\nTechnical details of permanent failure:\n\n    ${reason}`,
      { gone: GONE, full: FULL },
    ),
  ),
  shape(
    'Stalwart, maddy',
    'Mail Delivery Subsystem <MAILER-DAEMON@maddy.example>',
    {
      gone: 'Undelivered Mail Returned to Sender',
      full: 'Undelivered Mail Returned to Sender',
      late: 'Warning: Delay in message delivery',
    },
    {
      ...layout(
        (reason) =>
          `This is the mail delivery system at maddy.example.\n\nYour message could not be delivered to the following recipients:\n\n<${ADA}> (delivery to 'mx.recipient.example' failed with code ${reason})`,
        { gone: "550 5.1.1 'User unknown'", full: "552 5.2.2 'Mailbox full'" },
      ),
      late: `There was a temporary problem delivering your message to the following recipients:\n\n<${ADA}> (connection to 'mx.recipient.example' timed out)\n\nDelivery will be attempted again until Thu, 9 Jul 2026 10:00:00 +0000.`,
    },
  ),
];
