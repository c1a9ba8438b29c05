import { group, PhraseTable } from '../phrases/phrase-table.ts';
import { type Rule, TRANSACTION } from './rule.ts';

/** Refusals of our own host, worded like refusals of the recipient's: they come before the rules for recipients. */
export const OUR_HOST: readonly Rule[] = [
  {
    class: 'block',
    name: 'reverse DNS',
    phrases: new PhraseTable([
      group('en', 'RFC 1912 §2.1; Postfix: reject_unknown_client_hostname, reject_invalid_helo_hostname; Exim, Sendmail; Gmail 5.7.25')`
        cannot find your [reverse ]host[ ]name
        client host (name|rejected)
        fcrdns
        invalid dns (a|mx)|
        no [valid ]reverse
        reverse (address|dns|host|lookup|mapping)
        |(ehlo|helo) <4 words> (bad|fail|invalid|not|reject|require)
        |ptr|
        |rdns|
      `,
    ]),
    phases: ['connect', 'mail', ...TRANSACTION],
  },
];

/** The message is unwanted: authentication of our domain, reputation, content, policy. */
export const POLICY: readonly Rule[] = [
  {
    class: 'block',
    name: 'domain not authenticated',
    phrases: new PhraseTable([
      group(
        'en',
        'RFC 7208 (SPF), RFC 6376 (DKIM), RFC 7489 (DMARC), RFC 8617 (ARC), RFC 4870 (DomainKeys); Gmail, Exchange Online 5.7.515',
      )`
        domain[ ]keys
        from: header <20>aligned
        required authentication level
        sender is unauthenticated
        sender policy framework
        unauthenticated (email|mail|sender)
        |arc|
        |dkim|
        |dmarc|
        |spf|
      `,
    ]),
    phases: ['mail', ...TRANSACTION],
  },
  {
    class: 'block',
    name: 'block list',
    phrases: new PhraseTable([
      group('any', 'block lists and the filters that use them, by their own names')`
        abuseat
        barracuda
        cloudmark
        invaluement
        mimecast
        proofpoint
        senderbase
        senderscore
        sorbs
        spamcop
        spamhaus
        surbl
        uceprotect
        uribl
      `,
      group(
        'en',
        'RFC 5782; Postfix: reject_rbl_client; AOL: (CON:B1), (DYN:T1), (HVU:B1), (RLY:B1), (RTR:BB); Outlook.com: S3140, S3150; Yahoo: BL21, BL23',
      )`
        (low|no|very low) reputation
        <not after not_>listed (at|by|in|on)_
        BL2(1|3)
        \((con|dyn|hvu|rly|rtr):<letters>\)
        bad reputation
        banned sending ip
        black[ ]list
        block[ ]list
        is in a[n] <letters>bl|
        poor reputation
        |dnsbl|
        |rbl|
        |s3140|
        |s3150|
      `,
    ]),
  },
  {
    class: 'block',
    name: 'classified as spam',
    phrases: new PhraseTable([
      group('en', 'SpamAssassin, rspamd; Gmail, Yahoo, Outlook.com, GMX')`
        bulk mail
        high probability
        junk
        phish
        spam
        suspicious
        unsolicited
        unwanted
      `,
    ]),
  },
  {
    class: 'block',
    name: 'refused by policy',
    phrases: new PhraseTable([
      group('en', 'RFC 3463 X.7.1; Exim: Administrative prohibition; Exchange: transport rules; Yahoo: PH01; Comcast: CS01')`
        CS01
        PH01
        access denied
        administrative[ly] (prohibit|reject)
        blocked
        denied by
        forbidden
        not (allowed|authori(s|z)ed|permitted)
        not accepted for
        polic(ies|y)
        prohibited
        transport rule
      `,
    ]),
    phases: ['mail', ...TRANSACTION],
  },
];
