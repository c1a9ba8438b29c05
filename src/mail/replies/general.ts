import { group, PhraseTable } from '../phrases/phrase-table.ts';
import { type Rule, TRANSACTION } from './rule.ts';

/** Rules for replies that match no known wording: general words, RFC 3463 statuses, and reply codes. */
export const GENERAL: readonly Rule[] = [
  {
    class: 'hard',
    name: 'recipient refused',
    phrases: new PhraseTable([
      group('en', 'RFC 5321 §4.2.3: 550 mailbox unavailable; Postfix: Recipient address rejected; Outlook.com')`
        (account|address|mail[ ]box|recipient) <3 words> [is ](not available|not [be ]accepted|rejected|unavailable)
        does not have a final
        invalid recipient
        not delivered to that address
        recipient [address ](denied|not ok|refused|rejected)
        |550( |-)5.1.1|
      `,
    ]),
    phases: TRANSACTION,
  },
  {
    class: 'hard',
    name: 'no such recipient',
    // X.1.*: addressing; 5.1.351, 5.4.310, 5.7.504 and 5.7.505 are Microsoft's.
    statuses: ['5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.1.351', '5.4.1', '5.4.310', '5.7.504', '5.7.505'],
  },
  { class: 'hard', name: 'mailbox disabled', statuses: ['5.2.1'] },
  { class: 'message', name: 'message too large', statuses: ['4.2.3', '4.3.4', '5.2.3', '5.3.4'] },
  { class: 'message', name: 'content refused', statuses: ['5.6.*'] },
  { class: 'soft', name: 'mailbox full', statuses: ['4.2.2', '5.2.2'] },
  { class: 'block', name: 'refused by policy', statuses: ['5.7.*'], phases: ['mail', ...TRANSACTION] },
  {
    class: 'block',
    name: 'refused',
    phrases: new PhraseTable([
      group('en', 'every server')`
        blocked
        denied
        not accept
        refus
        reject
      `,
    ]),
    phases: ['mail', ...TRANSACTION],
    codes: ['5xx'],
  },
];
