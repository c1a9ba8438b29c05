import { group, PhraseList, PhraseTable } from '../phrases/phrase-table.ts';
import type { Rule } from './rule.ts';

/**
 * True for a reply, or the status of one, in which Exchange Online reports that the whole tenant is over its limit: 5.7.232 for a trial,
 * 5.7.233 (learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr). The limit applies to every account of the domain.
 */
export const statesTenantLimit = (reply: string): boolean => /(?:^|[^\d.])5\.7\.23[23](?![\d.])/.test(reply);

/** The account has sent as much as its provider allows. */
export const SENDER_LIMITS: readonly Rule[] = [
  {
    class: 'limit',
    name: 'Google: daily sending limit',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        daily [user ]sending (limit|quota) exceeded
        daily smtp relay [sending ]limit exceeded
      `,
    ]),
  },
  {
    class: 'limit',
    name: 'Microsoft: submission quota',
    phrases: new PhraseTable([
      group('en', 'Exchange Online: SubmissionQuotaExceededException')`
        actual verdict is refusequota
        submission[ ]quota[ ]exceeded
      `,
    ]),
  },
  {
    class: 'limit',
    name: 'Microsoft: recipient limit',
    phrases: new PhraseTable([
      group('en', 'learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr')`
        exceeded its daily limit
        external recipient rate limit
        reached your daily limit for message recipients
      `,
    ]),
  },
  // learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr
  { class: 'limit', name: 'Microsoft: tenant limit', statuses: ['5.1.90', '5.7.232', '5.7.233'] },
  {
    class: 'limit',
    name: 'Amazon SES: daily quota',
    phrases: new PhraseTable([
      group('en', 'docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html')`
        daily message quota exceeded
      `,
    ]),
  },
  {
    class: 'limit',
    name: 'Zoho: unusual activity',
    phrases: new PhraseTable([
      group('en', 'zoho.com/mail/help')`
        unusual sending activity detected
      `,
    ]),
  },
  {
    class: 'limit',
    name: 'hosting provider: hourly or daily limit',
    phrases: new PhraseTable(
      [
        group('en', 'Exim under cPanel, Postfix policy servers, and the providers in test/mail/replies/provider-answers.test.ts')`
          (account|domain <word>|user|you) [has |have ]exceeded (its|the|your) (daily|hourly) [<letters> ]limit
          <period> [<letters> ][<letters> ][<letters> ](limit|quota)[ <letters>][ <letters>][ <letters>][ <letters>] (exceeded|reached)
          exceeded (its|the|your) [<letters> ][<letters> ](daily|hourly|outgoing|sending) (limit|quota)
          limit on the number of allowed [outgoing ]messages
          max[imum] (defers and failures|[e-|e]mail[s]) per (day|hour)
          rate overlimit
          reached (its|the|your) (daily|hourly|monthly) [<letters> ](limit|quota)
          sender (quota exceeded|rate limit)
          sorry, too many (emails|mails|messages)
          too many (emails|mails|messages) (per (hour|minute|second)|sent)
        `,
      ],
      {
        period: new PhraseList([
          group('en', 'the same')`
            daily
            hourly
            maximum
            message
            monthly
            outgoing
            send
            sending
          `,
        ]),
      },
    ),
    phases: ['auth', 'mail', 'rcpt', 'data'],
  },
];
