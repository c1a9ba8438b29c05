import { group, PhraseTable } from '../phrases/phrase-table.ts';
import { type Rule, TRANSACTION } from './rule.ts';

/** Refusals of the sender or its domain, which servers word like refusals of recipients. */
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

/** Refusals because of our domain, its DNS records or our account, which servers word like refusals because of the recipient's. */
const OUR_SIDE = new PhraseTable([
  group('en', 'Tencent QQ; Exim: sender verification, MX of the sender; SPF, DKIM and DMARC of our domain')`
    (dkim|dmarc|spf)[:] <8 words> (does not exist|no such|not found|nxdomain)
    dns check failed
    from: header <3 words> domain
    sender <2 words> (mail[ ]box|user)
    sender is not on the allowed list
    sender unknown
    verification failed for us@
    your [sender |sending ]domain
  `,
]);

/** Refusals that name an account. After the server has accepted the recipient (RCPT), they mean ours. */
const OUR_ACCOUNT = new PhraseTable([
  group('en', 'hosting providers, Kerio: sending is disabled for the account')`
    (account|mail[ ]box|user) <4 words> (disabled|locked|prevented|stopped|suspended) from sending
    sending (disabled|suspended) for (the|this|your) (account|mail[ ]box|user)
    your (account|mail[ ]box) [has been |is |was ](blocked|disabled|locked|suspended)
    |this (account|user) [has been |is |was ](blocked|disabled|locked|not allowed|not permitted|suspended)
  `,
]);

/** Replies with misleading words. Whatever else they say, they are about one recipient, or about the sender. */
export const EXCEPTIONS: readonly Rule[] = [
  { class: 'account', name: 'our account may not send', phrases: OUR_ACCOUNT, phases: ['data'], codes: ['5xx'] },
  {
    class: 'block',
    name: 'our host is refused while the recipient is verified',
    phrases: new PhraseTable([
      group('en', 'Postfix: reject_unverified_recipient, whose probe the server of the recipient refused')`
        refused to talk to me
      `,
    ]),
    phases: TRANSACTION,
  },
  { class: 'block', name: 'our address or domain is refused', phrases: OUR_SIDE, statuses: ['5.1.7'], phases: TRANSACTION, codes: ['5xx'] },
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
