import { group, PhraseTable } from '../phrases/phrase-table.ts';
import { type Rule, TRANSACTION } from './rule.ts';

/** Servers speak of a sender and its domain in the same words as of recipients. */
const SENDER_REFUSED = new PhraseTable([
  group('en', 'Postfix: reject_unknown_sender_domain, reject_unverified_sender; Exim: sender verification; Sendmail; Gmail')`
    (bad|invalid|unknown|unresolvable|unverified) (sender|[rfc[']5321 ]from)_
    (complete|perform) sender verif
    domain of sender
    envelope sender
    return path <40>(invalid|not|reject)
    sender (address|domain|e[-]mail|verif<letters>) <6 words> (could|does|fail|invalid|not|reject|unknown|unresolvable)
    sender's [e[-]mail |mail ](address|domain)
    |sender (denied|refused|rejected)
  `,
]);

/** Replies whose words mislead: whatever else they say, they are about one recipient, or about the sender. */
export const EXCEPTIONS: readonly Rule[] = [
  {
    class: 'hard',
    name: 'Microsoft, Tencent: no such recipient',
    phrases: new PhraseTable([
      group('en', 'Exchange Online, directory-based edge blocking (550 5.4.1)')`
        recipient address[es] rejected[ ]: access denied
      `,
      group('en', 'Tencent QQ and Exmail')`
        mail[ ]box unavailable or access denied
      `,
    ]),
  },
  {
    class: 'account',
    name: 'sender address belongs to another user',
    phrases: new PhraseTable([
      group('en', 'Postfix: reject_sender_login_mismatch')`
        not owned by (auth|user)
        sender address rejected: not (logged in|owned)
      `,
    ]),
  },
  {
    class: 'block',
    name: 'Microsoft: recipient accepts only some senders',
    phrases: new PhraseTable([
      group('en', 'Microsoft, NDR codes 5.7.1, 5.7.124 and 5.7.133')`
        RESOLVER.RST.AuthRequired
        SenderNotAuthenticatedForGroup
        delivery restriction check failed
      `,
    ]),
    phases: TRANSACTION,
  },
  {
    class: 'block',
    name: "Zoho: refused by the recipient's filters",
    phrases: new PhraseTable([
      group('en', 'zoho.com/zeptomail/help/api/smtp-error-codes.html')`
        delivery restricted by policy
        rejected by destination domain
      `,
    ]),
  },
  {
    class: 'account',
    name: 'Microsoft: not allowed to send as this address',
    phrases: new PhraseTable([
      group('en', 'Microsoft, NDR code 5.7.60 and SendAsDeniedException')`
        SendAsDenied
        permission[s] to send as th(e|is) sender
      `,
    ]),
  },
  {
    class: 'account',
    name: 'Amazon SES: not authorized to send',
    phrases: new PhraseTable([
      group('en', 'docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html')`
        not authorized to perform [']ses:
      `,
    ]),
  },
  {
    class: 'limit',
    name: 'Google: sending limit',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        |5.7.1 email quota exceeded
      `,
    ]),
    phases: ['mail', 'rcpt', 'data'],
  },
  {
    class: 'limit',
    name: 'sender limit exceeded',
    phrases: new PhraseTable([
      group('en', 'Postfix policy servers of hosting providers')`
        sender address rejected: <40>(limit|quota) [is ](exceeded|reached)
      `,
    ]),
  },
  {
    class: 'message',
    name: 'Google: dangerous content',
    phrases: new PhraseTable([
      group('en', 'support.google.com/a/answer/3726730')`
        potential security issue
      `,
    ]),
  },
  {
    class: 'message',
    name: 'Amazon SES: malformed message',
    phrases: new PhraseTable([
      group('en', 'docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html')`
        transaction failed: (address list|domain|duplicate|expected|local address|missing)
      `,
    ]),
  },
  {
    class: 'hard',
    name: 'recipient address missing or malformed',
    phrases: new PhraseTable([
      group('en', 'Zoho Mail')`
        invalid rcpt to address
      `,
    ]),
    phases: ['rcpt'],
  },
  { class: 'account', name: 'sender address refused', phrases: SENDER_REFUSED, phases: ['mail'] },
  { class: 'block', name: 'sender address refused', phrases: SENDER_REFUSED, phases: TRANSACTION },
];
