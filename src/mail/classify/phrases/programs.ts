import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Sentences that ask whether the sender is human, and names of the products that send them. */
export const CHALLENGES = new PhraseTable([
  group('any', 'the products themselves; BounceParser')`
    active spam killer
    bluebottle
    boxbe
    knowspam
    mail[ |-]in[ |-]black
    mailblocks
    qurb
    spamarrest
    spamcop challenge
    tmda|
  `,
  group('de', 'usual wording of filters')`
    (bestätigen|verifizieren) sie <40>(kein (bot|roboter)|mensch sind)
  `,
  group('en', 'TMDA, Boxbe, SpamArrest, Earthlink; BounceParser')`
    (account|address|inbox|mailbox) is protected by
    (add yourself to|be added to) (my|our|the) (approved|contact|guest|safe|sender|white)
    (authenticate|confirm|prove|verify) [that ](you are|you're) [a ](human|not a (bot|robot|spammer)|real)
    (confirm|verify) (the|your) (e[-]mail|identity|mail|message|sender) (by|so|to)
    (reply|respond) to this (e[-]mail|message) (so that|to|without changing)<80>(accept|confirm|deliver|whitelist)
    challenge( |-)response
    click [on ](the|this) [following ]link [below ]to (authenticate|be added|confirm|deliver|have your (address|e[-]mail)|verify)
    has [not ]been (held|placed) (in|on) <40>(pending|until) <60>(confirm|verif)
    one( |-)time (confirmation|verification)
    sender (authentication|confirmation|verification)
    to (deliver|release) your (e[-]mail|message) <60>(click|reply to this)
    to (ensure|make sure) [that ](you are|you're) [a |not a ](bot|human|machine|person|real|robot)
    waiting for your (confirmation|verification)
  `,
  group('es', 'usual wording of filters')`
    (confirm|verifi)<40>(es una persona|no es un robot)
  `,
  group('fr', 'MailInBlack')`
    authentifi<60>(cliqu|lien)
    cliqu<60>(authentifi|libérer|pas un robot|être remis)
    message <30>en attente d<20>(authentification|validation)
  `,
  group('it', 'usual wording of filters')`
    (conferm|verific)<40>(non è un robot|persona reale)
  `,
  group('nl', 'usual wording of filters')`
    (bevestig|verifieer)<40>(geen robot|mens bent)
  `,
]);

/** Texts that an email client sends when its user clicks the button to unsubscribe. */
export const REMOVAL_BUTTONS = new PhraseTable([
  group('en', 'Apple Mail')`
    ^apple mail sent this email to unsubscribe
  `,
]);

/** Subjects of notices in which content filters tell the sender what they blocked. */
export const FILTER_SUBJECTS = new PhraseTable([
  group('any', 'the products themselves')`
    ^antigen
    ^mailmarshal
    ^scanmail
    ^symantec
  `,
  group('en', 'amavis, MailScanner, Symantec; public mailing lists')`
    ^*[*][**][****][********][ ](virus|warning)
    ^[e[-]mail ](content|virus) (alert|found|notification|violation|warning)
    ^[your ](e[-]mail|mail|message) [has been |was ](banned|blocked|containe[d] [a ]virus|quarantined)
    ^attachment (blocked|removed)
    ^banned
    ^blocked
    ^infected
    ^spam
    ^unsafe
    ^virus
    ^warning: e[-]mail viruses
  `,
]);

/** Subjects of list managers that are unmistakable, whoever the sender is. */
export const LIST_NOTICE_SUBJECTS = new PhraseTable([
  group('en', 'Mailman 2 and 3; flufl.bounce')`
    (message|post) to <80> (held|rejected|requires)
    awaits (moderator|your) approval
    is being held
    posting is held
  `,
]);

/** Subjects of list managers that count only if the sender is a list manager. */
export const LIST_MANAGER_SUBJECTS = new PhraseTable([
  group('en', 'Mailman, Majordomo, LISTSERV, Sympa, ezmlm')`
    ^command[s] results
    ^goodbye
    ^request to
    ^results of your
    ^unsubscribe
    ^welcome to
    subscription (confirmation|request)
    |(confirm|request) <30>subscription
  `,
]);

/** "Unsubscribe" and the like, in the words of newsletters. */
export const LEAVE = new PhraseList([
  group('en', 'SpamAssassin corpus; public mailing lists')`
    [no longer ]receive
    be removed
    be taken off
    opt[ |-]out
    remove yourself
    stop receiving
    unsubscribe
  `,
]);

/** "Sent because you subscribed": the reason that a newsletter gives for itself. */
export const RECEIVED = new PhraseList([
  group('en', 'SpamAssassin corpus; public mailing lists')`
    (receiv<letters>|sent|subscrib<letters>) <8 words> (as (a|part)|because|opt|subscri)
  `,
]);

/** Unsubscribe instructions, which bulk mail contains and replies do not. */
export const BULK_SENTENCES = new PhraseTable(
  [
    group('de', 'usual wording')`
      (mailing|newsletter) (abbestellen|abmelden)
    `,
    group('en', 'SpamAssassin corpus; public mailing lists')`
      (change|manage|update) your (e[-]mail preferences|profile|subscription)
      (click|e[-]mail|go to|reply|send|visit) <12 words> to [be ](opt|remov|unsubscrib)
      (click|e[-]mail|go to|reply|send|visit) <12 words> with <3>(remove|unsubscribe)
      (to|you (can|may)) <leave>
      if you (do not|no longer|prefer|want|wish|would like) <6 words> <leave>
      this (e[-]mail|message|newsletter) (has been|is|was) <received>
      unsubscribe <3 words> (below|here|information|instructions|link)
      you (are|have been|were) <received>
    `,
    group('es', 'usual wording')`
      cancelar su suscripci
      darse de baja
    `,
    group('fr', 'usual wording')`
      se d(e|é)sabonner
    `,
    group('it', 'usual wording')`
      disiscriv
    `,
    group('ja', 'usual wording')`
      配信停止
    `,
    group('nl', 'usual wording')`
      uitschrijven
    `,
    group('ru', 'usual wording')`
      отписаться
    `,
    group('zh', 'usual wording')`
      退订
    `,
  ],
  { leave: LEAVE, received: RECEIVED },
);
