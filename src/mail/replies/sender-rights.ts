import { group, PhraseTable } from '../phrases/phrase-table.ts';
import type { Rule } from './rule.ts';

/** The login, and the account's permission to send. */
export const SENDER_RIGHTS: readonly Rule[] = [
  {
    class: 'temp',
    name: 'temporary login failure',
    phrases: new PhraseTable([
      group('en', 'RFC 4954 §6: 454 4.7.0 Temporary authentication failure')`
        4.7.0
        temporarily
        temporary
        try again
      `,
    ]),
    phases: ['auth'],
    codes: ['4xx'],
  },
  {
    class: 'account',
    name: 'login or encryption required',
    phrases: new PhraseTable([
      group('en', 'RFC 3207 §4, RFC 4954 §6')`
        5.(5|7).
        authentication
        encryption
        login
        starttls
      `,
    ]),
    phases: ['connect', 'auth', 'mail', 'rcpt', 'data'],
    codes: [530, 538],
  },
  {
    class: 'account',
    name: "the account's Sent folder is full",
    phrases: new PhraseTable([
      group('en', 'Exchange Online')`
        storedrv.submission.exception:quotaexceeded
      `,
    ]),
  },
  {
    class: 'account',
    name: 'login refused',
    phrases: new PhraseTable([
      group('en', 'RFC 4954 §6; Postfix, Exim, Dovecot; Gmail; Exchange Online 5.7.3, 5.7.30, 5.7.57 and 5.7.139; Amazon SES')`
        (basic authentication|smtpclientauthentication) is (disabled|not supported)
        application-specific password required
        authentication (credentials invalid|failed|failure|required|unsuccessful)
        bad (credentials|username)
        client [was ]not authenticated
        incorrect (authentication|password)
        invalid (credentials|login|user[ ]name or password)
        log[ ]in (through|via|with) your web[ ]browser
        username and password not accepted
      `,
    ]),
  },
  {
    class: 'account',
    name: 'account suspended',
    phrases: new PhraseTable([
      group('en', 'Gmail; Exchange Online: OutboundSpamException; Zoho; Amazon SES; hosting providers')`
        (account|mailbox|sender|user|your) <4 words> [been |has been |is |was ](blocked from sending|disabled for sending|suspended)
        account under review
        bad outbound sender
        mail sending denied
        outbound[ ]spam[ ]exception
        sender address blocked
        sending [has been |is ](blocked|disabled|paused|suspended)
      `,
    ]),
    phases: ['connect', 'auth', 'mail', 'rcpt', 'data'],
  },
  {
    class: 'account',
    name: 'Amazon SES: address not verified',
    phrases: new PhraseTable([
      group('en', 'docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html')`
        email address is not verified
        not subscribed to ses
      `,
    ]),
  },
  {
    class: 'account',
    name: 'Microsoft: tenant blocked',
    // learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr
    statuses: ['5.1.8', '5.7.501', '5.7.502', '5.7.503', '5.7.511', '5.7.705', '5.7.708', '5.7.750'],
  },
  {
    class: 'account',
    name: 'relaying denied',
    phrases: new PhraseTable([
      group('en', 'Postfix: Relay access denied; Exim: relay not permitted; Sendmail, Exchange, Gmail; qmail: rcpthosts')`
        able to relay
        my list of allowed rcpthosts
        not (allowed|permitted) to relay
        relay[ing] [access ](denied|not (allowed|permitted))
        relaying disallowed
      `,
    ]),
    phases: ['connect', 'auth', 'mail', 'rcpt'],
  },
];
