import { group, PhraseList, PhraseTable } from '../../phrases/phrase-table.ts';

/** Words in a line of dashes above the message that a server returns: "--- Below this line is a copy of the message." */
export const RETURNED_MARKS = new PhraseList([
  group('en', 'Sendmail, qmail, Exim, Courier, MDaemon; BounceParser, flufl.bounce')`
    bounced
    copy
    enclosed
    forwarded
    header
    message (follows|header|text)
    original
    returned
    start of
    undelivered
    unsent
  `,
]);

/** Words for the returned message: "original", "returned". */
export const RETURNED = new PhraseList([
  group('en', 'the servers of RETURNED_CAPTIONS')`
    following
    original
    received
    rejected
    returned
    source
    undelivered
    unsent
    your
  `,
]);

/** Lines above the returned message, without leading spaces. */
export const RETURNED_CAPTIONS = new PhraseList(
  [
    group('any', 'qmail and its translations')`
      ---<4>(copia|copie|kopia|kopie|копия)<60>$
    `,
    group('en', 'Exim, smail, PMDF, AOL; bounce_email, flufl.bounce')`
      (attached|below|enclosed|following|here|this) is [a |the ](copy|first part|header|original|text)<80>$
      (mail|message) header[s] [and <40> ]follow[s][:]<blank>$
      --[ ]the header and top<40>$
      [the ]<returned> (e[-]mail|mail|message)[ (header[s]|text)][ as received][ (are|is)][ as] (attached|below|enclosed|following|follows|included)<40>$
      the first <number> lines of (the|your) original
    `,
    group('ja', 'usual wording of servers; not traced to one')`
      以下は<20>(メッセージ|メール)<60>$
      元のメッセージ<60>$
    `,
    group('zh', 'Coremail, NetEase 163, QQ')`
      原信<not 息><60>$
      原始邮件<60>$
      原邮件<not 信息><60>$
      附件中的内容<60>$
    `,
  ],
  { returned: RETURNED },
);

/** Sentences in which a server says that it returns the message. */
export const ANNOUNCEMENTS = new PhraseTable([
  group('en', 'qmail: Below this line is a copy of the message; Exim: a copy of your message; flufl.bounce')`
    a copy of (the|your) [original ](mail|message)
    below this line
  `,
]);
