import { group, PhraseTable } from '../phrases/phrase-table.ts';
import { GONE, IS_NOT, KIND, THERE, WHO } from './recipient-words.ts';
import { type Rule, TRANSACTION } from './rule.ts';

const NO_SUCH_RECIPIENT = new PhraseTable(
  [
    group('en', 'RFC 3463 X.1.1 and X.2.1; Postfix, Exim, Sendmail, qmail, Courier; Exchange, Domino, GroupWise; Gmail, Yahoo, AOL')`
      <not after |ip ><not after your >|<who> <8 words> <is-not> <3 words> <there>|
      |<gone> [or <letters> ][<kind> ][<kind> ][<kind> ](account[s]|address[es]|addressee|alias|destination|mail[ ]box)|
      |<gone> [or <letters> ][<kind> ][<kind> ][<kind> ](part|person[s]|recipient[s]|user[s]|user[ ]id)|
    `,
    group('en', 'Exchange, Domino, GroupWise; providers that close or suspend mailboxes')`
      (account|address|addressee|mail[ ]box|recipient|user) [is ][currently ](closed|deactivated|deleted|disabled|discontinued|expired)
      (account|address|addressee|mail[ ]box|recipient|user) [is ][currently ](inactive|invalid|non[-]existent|suspended|terminated)
      (account|address|addressee|mail[ ]box|recipient|user) [is ][currently ](undeliverable|unknown)
      (account|address|employee|mail[ ]box|person|recipient|user) <3 words> (has|have) [been ](changed|closed|deactivated|deleted|disabled)
      (account|address|employee|mail[ ]box|person|recipient|user) <3 words> (has|have) [been ](discontinued|left|moved|removed|retired)
      (account|address|employee|mail[ ]box|person|recipient|user) <3 words> (has|have) [been ](suspended|terminated)
      (account|address|mail[ ]box|recipient|user) <4 words> (blocked|closed|disabled|locked|suspended) (because of|due to|for) inactivity
      (employee|person|recipient|user) [has ](left|moved)
      account[ that you tried to reach] (does not exist|has been (closed|deactivated|deleted|disabled|suspended))
      no longer (accepts|active|available|employed|exist[s]|in use|monitored|on server|valid|with (the|this|us)|work[s])
    `,
    group('en', 'Postfix, Exim (Unrouteable address), Sendmail, qmail (badrcptto), Exchange (RecipNotFound), Domino (not listed in)')`
      (account|address|mail[ ]box|recipient|user) <2 words> dosn't exist
      (addressee|recipient) <2 words> (can[ ]not|could not) be verified
      (address|recipient|user) [is ](not local|not on this (host|server|system))
      (does not|does[ ]n't) have a[n] <40>account
      (final|local) [e[-]mail ]delivery (point|user[ ]id)
      (misspelled|mistyped|wrong) (address|recipient)
      address <4 words> (incorrect|misspelled|wrong)
      all recipient[s] [are |were ](invalid|rejected)
      bad[\_]recipient
      badrcptto
      can[ ]not find <word>@
      delivery to this (address|recipient|user) [is ](has been|not) (disabled|possible)
      does not like recipient
      is not [a[n] ](active|existing|known|registered|valid)
      name is not recogni(s|z)ed
      no (account|one|recipient|user) <2 words> (at this|by that name|here|of that name|with that name)
      no mail[ ]box (available|by|found|here)
      no match[es] (for|found|to)
      no sush (address|mail[ ]box|user)
      no valid [cert ]recipient
      not (a known|a local|a valid|one of our|our) (address|customer|mail[ ]box|recipient|user)
      not a deliverable address
      not listed in
      recipient [address ]verif<letters> failed
      recipient[ ]not[ ]found
      recipnotfound
      unable to find <2 words> (address|mail[ ]box|recipient|user)
      undeliverable address
      unknow (address|mail[ ]box|user)
      unrecogni(s|z)ed o/r name
      unrouteable address
      |unknown in|
    `,
  ],
  { who: WHO, 'is-not': IS_NOT, there: THERE, gone: GONE, kind: KIND },
);

const NO_SUCH_DOMAIN = new PhraseTable([
  group('en', 'RFC 3463 X.1.2 and X.1.10; Postfix, Exim, Sendmail, qmail; Exchange (InfoDomainNonexistent); Gmail')`
    (bad|illegal|invalid|nonexistent) [destination ](domain|host|mailbox system|system)
    (find|locate|resolve) <3 words> (destination|recipient) (domain|host)
    <not after relay >(domain|host|(domain|host) name|server) [or domain name ][was ](not found|not known|unknown)
    all relevant mx records point to non-existent
    couldn't find any host
    infodomainnonexistent
    name or service not known
    no (a|mx) (and|nor|or) (a|mx)|
    no (mail exchanger|mx) <3 words> (for|found|record)
    no such (domain|host)
    nodename nor servname
    not a valid rfc[']5321 address
    nxdomain
    unknown (domain|host|mail server)
    unroutable [mail ]domain
    unrouteable [mail ]domain
    |(domain|host|mx|server) <6 words> (does[ ]n['][o]t|not) (accept [any ](e[-]mail|mail)<not _(at|because|from)>|exist|found|receive)
  `,
  group('en', 'RFC 7505 §4.1: null MX; RFC 6761: reserved names')`
    does not accept [any ][e-|e]mail[!|.]$
    indicated no smtp service
    null[ ]mx
    reserved by rfc[ ]<digit>
  `,
]);

const ACCEPTS_NO_MAIL = new PhraseTable([
  group('en', 'RFC 3463 X.3.2: System not accepting network messages; Postfix, Exim, Exchange; hosting providers')`
    (do|does)( not|n't) (handle|host|receive) [any |e-]mail for
    (e[-]mail|mail) (for|to) <word> [is ]not accepted
    mail receiving [is ]disabled
    not accepting <2 words> messages
  `,
]);

/** Words that leave open whether a recipient exists. */
const INCONCLUSIVE = new PhraseTable([
  group('en', 'Postfix, Exim: callouts and look-ups that had no answer')`
    again
    deferred
    gr(a|e)y[-]list
    later
    sender
    tempora
    time[d][ ]out
    unverified
    verification
  `,
]);

/** The recipient or its domain does not exist, in unambiguous words. */
export const RECIPIENT: readonly Rule[] = [
  { class: 'hard', name: 'no such recipient', phrases: NO_SUCH_RECIPIENT, phases: TRANSACTION },
  { class: 'hard', name: 'no such domain', phrases: NO_SUCH_DOMAIN, phases: TRANSACTION },
  { class: 'hard', name: 'accepts no mail', phrases: ACCEPTS_NO_MAIL, phases: TRANSACTION },
];

/** True for words that say that a recipient or domain is missing, without any that suggest it may come back. */
export const isMissingForGood = (text: string): boolean =>
  (NO_SUCH_RECIPIENT.matches(text) || NO_SUCH_DOMAIN.matches(text)) && !INCONCLUSIVE.matches(text);
