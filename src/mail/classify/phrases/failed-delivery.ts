import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** "Could not", before the thing that a server could not do. */
export const UNABLE = new PhraseList([
  group('en', 'the servers of FAILURE_SENTENCES')`
    (failed|impossible|n't able|not able|unable) to
    can't
    can[ ]n't
    could[ ]n't
    has not been
    not
    wasn't
    weren't
  `,
]);

/** English sentences in which a server says that a message was not delivered. */
export const FAILURE_SENTENCES = new PhraseTable(
  [
    group('en', 'Postfix, qmail, Exim, Sendmail, James: "could not be delivered" and the like; flufl.bounce, Exim\'s test suite')`
      <unable> [be ][successfully ](accept[ed]|deliver[ed]|process[ed]|r[e]turn[ed]|reach[ed]|relay[ed]|send|sent|transmitted)|
    `,
    group(
      'en',
      'Sendmail, Postfix, Exim, qmail, Courier; Exchange, Lotus Domino, GroupWise; Gmail, Yahoo, AOL; BounceParser, flufl.bounce',
    )`
      (account|address|domain|host|mailbox|recipient|user)|<40> (does not exist|exceed|is full|unavailable|unknown)
      (account|address|domain|host|mailbox|recipient|user)|<40> not (available|exist|found|known|listed|local|recognized)
      (address[es|\(es\)]|delevery|delivering|delivery|mail|message|recipient[s]|transmission)<60>|fail[ed|ure]|
      (delevery|delivery)<60> aborted
      delivery (error|problem)
      did not exactly match
      error during delivery
      failed (address|recipient)
      fatal errors
      giv(en|ing) up
      has been (blocked|bounced|refused|rejected|returned)
      invalid (address|final delivery|mailbox|recipient|user)
      mailbox [is ]full
      no such (address|local|mailbox|person|recipient|user)
      non existent
      non[-]delivery
      not a valid (address|mailbox|recipient|user)
      out of [disk ]space
      over [disk ]quota
      permanent[ly] [fatal ](error|fail)
      quota exceeded
      rejected (by|for|it|the|your)
      returned (mail|message|to sender)
      returning [the ](mail|message)
      the following addresses had
      unable to find (address|mailbox|recipient|user)
      undeliver(able|ed)
      undelivred
      unknown (address|host|local|mailbox|recipient|user)
      was (automatically rejected|blocked|bounced|refused|rejected|returned)
    `,
    group('en', 'Google Groups')`
      not have permission to post
    `,
  ],
  { unable: UNABLE },
);
