import { group, PhraseList, PhraseTable } from '../phrases/phrase-table.ts';
import { type Rule, TRANSACTION } from './rule.ts';

const PLACES = new PhraseList([
  group('en', 'servers of the phrases below')`
    account
    disk
    inbox
    mail[ ]box
    mail[ ]folder
    maildir
    quota
    storage
    user
  `,
]);

/** The recipient's mailbox is full. These rules match words, not the status: at Microsoft, 5.2.2 also means a sender's quota. */
export const MAILBOX_FULL: readonly Rule[] = [
  {
    class: 'hard',
    name: 'mailbox full and inactive',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        (out of storage|over[ ]quota) <6 words> and inactive
      `,
    ]),
  },
  {
    class: 'soft',
    name: 'mailbox full',
    phrases: new PhraseTable(
      [
        group('en', 'RFC 3463 X.2.2; Dovecot, Cyrus, Courier, qmail; Exim, Postfix (system storage); Gmail, Yahoo; the corpora')`
          (account|inbox|mail[ ]box) <3 words> [size ](exceeds|limit)
          (enough|insufficient|low on|no|not enough|out of) [<letters> ][disk |mail[ ]box |system ](space|storage)
          disk[ ]quota
          exceed[ed|ing|s] <5 words> (allowed size|mailbox|quota|storage)
          full mail[ ]box
          has exceeded (its|the|their) [<letters> ][<letters> ](allocation|limit)
          mail[ ]box[ ]full
          over[ ][the ][<letters> ]quota
          quota [is ](exceeded|full|reached|violation)
          system storage exceeded
          too many (mails|messages) (in|on|stored)
          |<place> <6 words> [are |is |was ][too ](exceeded|full|over [its |the |their ](limit|quota|size))|
        `,
      ],
      { place: PLACES },
    ),
    phases: TRANSACTION,
  },
];
