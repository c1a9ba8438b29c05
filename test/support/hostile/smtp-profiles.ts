import type { SmtpDeviation, SmtpScript } from './smtp.ts';

const ehlo = (host: string, ...extensions: string[]): string =>
  [host, ...extensions].map((line, index) => `250${index === extensions.length ? ' ' : '-'}${line}`).join('\r\n');

/** Refuses these login mechanisms with this text, although they are announced. */
const withoutMechanism =
  (mechanism: string, words: string): SmtpDeviation =>
  (_, { line }) =>
    line.toUpperCase().startsWith(`AUTH ${mechanism}`) ? words : '235 ok';

/** Closes the connection after that many messages, with or without a reply. */
const closingAfter =
  (most: number, words: string | null): SmtpDeviation =>
  (socket, { messages, honest }) => {
    if (messages < most) return honest;
    return void socket.end(words === null ? '' : `${words}\r\n`);
  };

/**
 * Submission servers as their documentation, their greetings and public bug reports show them: their capabilities, and where they are known
 * to deviate from RFC 5321 and RFC 4954. Not every installation is like its profile.
 */
export const SMTP_PROFILES: Readonly<Record<string, SmtpScript>> = {
  'Exchange and Microsoft 365': {
    greeting: '220 AM0PR01.outlook.example Microsoft ESMTP MAIL Service ready at Thu, 26 Nov 2026 10:00:00 +0000',
    EHLO: ehlo(
      'AM0PR01.outlook.example Hello [192.0.2.1]',
      ...[
        'SIZE 157286400',
        'PIPELINING',
        'DSN',
        'ENHANCEDSTATUSCODES',
        'AUTH LOGIN XOAUTH2',
        '8BITMIME',
        'BINARYMIME',
        'CHUNKING',
        'SMTPUTF8',
      ],
    ),
    dot: '250 2.0.0 OK <AM0PR0112345@AM0PR01.outlook.example> [Hostname=AM0PR01.outlook.example]',
  },
  Gmail: {
    greeting: '220 smtp.gmail.example ESMTP a1-20020a05600c00c100b0041bf28aa11dsm1 - gsmtp',
    EHLO: ehlo(
      'smtp.gmail.example at your service, [192.0.2.1]',
      ...[
        'SIZE 35882577',
        '8BITMIME',
        'AUTH LOGIN PLAIN XOAUTH2 PLAIN-CLIENTTOKEN OAUTHBEARER XOAUTH',
        'ENHANCEDSTATUSCODES',
        'PIPELINING',
      ],
      ...['CHUNKING', 'SMTPUTF8'],
    ),
    dot: '250 2.0.0 OK  1764151200 a1-20020a05600c00c100b0041bf28aa11dsm1 - gsmtp',
  },
  Yahoo: {
    EHLO: ehlo(
      'hermes--production',
      'PIPELINING',
      'ENHANCEDSTATUSCODES',
      '8BITMIME',
      'SIZE 41697280',
      'AUTH PLAIN LOGIN XOAUTH2 OAUTHBEARER',
    ),
  },
  'Amazon SES': {
    EHLO: ehlo('email-smtp.example', '8BITMIME', 'STARTTLS', 'AUTH PLAIN LOGIN', 'Ok'),
    dot: '250 Ok 0102018d2a3b4c5d-6e7f8a9b-0c1d-2e3f-4a5b-6c7d8e9fa0b1-000000',
  },
  Postfix: {
    greeting: '220 mail.example.net ESMTP Postfix (Debian)',
    EHLO: ehlo(
      'mail.example.net',
      'PIPELINING',
      'SIZE 10240000',
      'VRFY',
      'ETRN',
      'AUTH PLAIN LOGIN CRAM-MD5',
      'AUTH=PLAIN LOGIN',
      '8BITMIME',
      'DSN',
    ),
  },
  'Exim with cPanel': {
    greeting: [
      '220-host.example ESMTP Exim 4.98',
      '220-We do not authorize the use of this system to transport unsolicited,',
      '220 and/or bulk e-mail.',
    ].join('\r\n'),
    EHLO: ehlo('host.example Hello client [192.0.2.1]', 'SIZE 52428800', '8BITMIME', 'PIPELINING', 'AUTH PLAIN LOGIN', 'HELP'),
  },
  qmail: {
    EHLO: ehlo('mail.example.net', 'AUTH LOGIN PLAIN CRAM-MD5', 'AUTH=LOGIN PLAIN CRAM-MD5', 'PIPELINING', '8BITMIME'),
    dot: '250 ok 1764151200 qp 4711',
  },
  Zoho: {
    EHLO: ehlo('mx.zoho.example', 'AUTH LOGIN PLAIN XOAUTH2', 'SIZE 53477376'),
    RCPT: '250 Recipient OK',
    dot: '250 Message received',
  },
  // nodemailer and others: PLAIN is announced, but only LOGIN accepted.
  Naver: {
    EHLO: ehlo('smtp.naver.example', 'AUTH LOGIN PLAIN', 'SIZE 20971520'),
    AUTH: withoutMechanism('PLAIN', '504 5.7.4 Unrecognized authentication type'),
  },
  '163 and QQ': {
    EHLO: ehlo(
      'mail',
      'PIPELINING',
      'AUTH LOGIN PLAIN XOAUTH2',
      'AUTH=LOGIN PLAIN',
      'coremail 1Uxr2xKj7kG0xkI17xGrU7I0s8FY2U3Uj8Cz28x1UUUUU7Ic2I0Y2UFRgBjzUCa0xDrUUUUj',
      'STARTTLS',
      '8BITMIME',
    ),
  },
  'an old server, by AUTH=LOGIN': { EHLO: ehlo('old.example', 'SIZE', 'AUTH=LOGIN', '8bitmime') },
  'lower case': { EHLO: ehlo('low.example', 'size 1000000', 'auth login plain', 'pipelining') },
  'codes without words': { greeting: '220', AUTH: '235', MAIL: '250', RCPT: '250', DATA: '354', dot: '250', RSET: '250' },
  'a relay that closes after two emails, without a word': { MAIL: closingAfter(2, null) },
  'a relay that closes after two emails, by 421 to MAIL': { MAIL: closingAfter(2, '421 4.7.0 Too many messages in this connection') },
  'a relay that closes after two emails, by 421 to RCPT': { RCPT: closingAfter(2, '421 4.7.0 Too many messages in this connection') },
  'a relay that closes after two emails, by 421 to DATA': { DATA: closingAfter(2, '421 4.7.0 Too many messages in this connection') },
};
