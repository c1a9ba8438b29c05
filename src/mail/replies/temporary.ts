import { group, PhraseTable } from '../phrases/phrase-table.ts';
import type { Rule } from './rule.ts';

/** Refusals that are the fault of neither sender nor recipient and pass soon. */
export const TEMPORARY: readonly Rule[] = [
  {
    class: 'temp',
    name: 'Amazon SES: sending rate',
    phrases: new PhraseTable([
      group('en', 'docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html')`
        maximum sending rate exceeded
        throttling failure
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'Microsoft: too many concurrent connections',
    phrases: new PhraseTable([
      group('en', 'Exchange Online: 432 4.3.2 (aka.ms/concurrent_sending)')`
        concurrent connections limit exceeded
        sender thread limit exceeded
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'Google: peak relay limit',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        peak smtp relay limit exceeded
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'Google: too many login attempts',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        cannot authenticate due to [a ]temporary system problem
        too many login attempts
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'out of disk space',
    phrases: new PhraseTable([
      group('en', 'RFC 3463 X.3.1; Postfix, Exchange')`
        insufficient system (resources|storage)
      `,
    ]),
    codes: ['4xx'],
  },
  {
    class: 'temp',
    name: 'greylisting',
    phrases: new PhraseTable([
      group('en', 'RFC 6647; Postgrey, milter-greylist; Exim and Postfix address verification')`
        gr(a|e)y[-]list
        verification in progress
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'recipient receives too much mail',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730; Exchange Online: 5.2.121 and 5.2.122')`
        exceed[<letters>] receiving limit
        per hour message receive limit
        rate that prevents additional
        receiving mail (at a rate|too quickly)
        |(blocked|disabled|suspended) tempor
      `,
    ]),
  },
  {
    class: 'temp',
    name: 'Yahoo: deferred',
    phrases: new PhraseTable([
      group('en', 'senders.yahooinc.com/smtp-error-codes')`
        TSS0(0|1|2|3|4|5|6|7|8)
        temporarily deferred
      `,
    ]),
  },
  {
    class: 'block',
    name: 'Yahoo: permanently deferred',
    phrases: new PhraseTable([
      group('en', 'senders.yahooinc.com/smtp-error-codes')`
        TSS(09|1<digit>)
        permanently deferred
        retrying will not succeed
      `,
    ]),
  },
];
