import { group, PhraseTable } from '../phrases/phrase-table.ts';
import type { Rule } from './rule.ts';

/** The message itself is refused. */
export const MESSAGE: readonly Rule[] = [
  {
    class: 'message',
    name: 'message too large',
    phrases: new PhraseTable([
      group('en', 'RFC 1870 §6; Postfix, Exim, Sendmail, qmail, Exchange; support.google.com/a/answer/3726730')`
        (attachment|body|e[-]mail|header[s]|line|message) <5 words> (exceeded|exceed[s]|too (big|large|long|many bytes))
        (bigger|larger) than <4 words> (accept|allowed|limit)
        exceed[s] [the ](fixed|max|maximum) [message ]size
        message (file|size) (exceed|limit)
        size limit
        too large a message
      `,
    ]),
  },
  {
    class: 'message',
    name: 'message violates RFC 5322',
    phrases: new PhraseTable([
      group('en', 'Gmail; Exim; qmail (bare LF, cr.yp.to/docs/smtplf.html); Yahoo')`
        (duplicate|multiple) (from|header)
        8[-]bit characters
        bare (cr|lf|line[ ]feed)
        invalid (characters|header)
        malformed
        missing [a ][valid ](date|from|message-id)
        not rfc[ ](2821|2822|5321|5322)
        rfc[ ](2822|5322) compliant
      `,
    ]),
  },
  {
    class: 'message',
    name: 'content refused',
    phrases: new PhraseTable([
      group('en', 'amavis, ClamAV, Exim (illegal attachment); support.google.com/a/answer/3726730')`
        (attachment|file) type
        banned (content|file)
        content [of this message ][is ](rejected|unsolicited)
        executable
        illegal attachment
        malware
        same message-id
        trojan
        virus
      `,
    ]),
  },
];
