import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Words of a sentence about a possible future: "if", "until". */
export const CONDITIONS = new PhraseList([
  group('de', 'usual wording of servers; not traced to one')`
    falls
    sobald
    sollte
    wenn
  `,
  group('en', 'Exim: Eventually the mail delivery software will give up; Sendmail: until message is 5 days old')`
    after <number> more
    eventually
    if
    once
    unless
    until
    up to
    when
  `,
  group('es', 'usual wording of servers; not traced to one')`
    si
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    lorsque
    si
  `,
  group('it', 'usual wording of servers; not traced to one')`
    se
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    если
  `,
]);

/** Sentences that a server writes only when it has given up. */
export const FINAL_SENTENCES = new PhraseTable([
  group('any', 'usual wording of servers; not traced to one')`
    definitiv
  `,
  group('de', 'usual wording of servers; not traced to one')`
    (dauerhaft|permanent)(e|er|es) (fehler|problem)
    endgültig
    gebe ich auf
    ich gebe auf
    keine weiteren (versuche|zustellversuche)
  `,
  group('en', "Postfix, Exim, Sendmail, qmail, Exchange; flufl.bounce, Exim's test suite")`
    (abandoned|abandoning|stopped) (delivery|the|trying)
    (deleted|removed) from [the |this ][mail ]queue
    (failed|fails|rejected|undeliverable) (finally|permanently)
    (maximum|max) <4 words> (attempts|retries|time) <2 words> (exceeded|reached)
    delivery time[ ]expired
    failed after
    for good|
    gave up
    giv(en|ing) up
    has [been ]expired
    i give up
    in the queue too long
    message [has |is ]expired
    no (further|more) <2 words> (attempt|retr)
    no longer [be ](attempted|retried|retry|try)
    not (attempt|going to retry|going to try)
    permanent[ly] [delivery |fatal ](error|fail)
    queue[ ]expired
    retry time[out| limit] exceeded
    returned to [the ]sender
    returning (mail|message) to sender
    too old
    will not [be ](attempted|continue trying|retr|try)
    won't [be ](attempted|retr|try)
  `,
  group('fr', 'usual wording of servers; not traced to one')`
    erreur permanente
    j'abandonne
  `,
  group('ja', 'usual wording of servers; not traced to one')`
    最終
  `,
  group('ru', 'usual wording of servers; not traced to one')`
    окончательн
    прекращ
  `,
]);
