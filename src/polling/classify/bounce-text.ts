import { classifyReply } from '../../smtp-replies.ts';
import { field, fieldValues, type Mail } from './message.ts';
import { answersOf, returnedIds } from './threading.ts';
import { type Classification, verdictOf } from './verdict.ts';

const SENDERS =
  /^(mailer-?daemon|postmaster|mail-?daemon|mdaemon|mail(er)?[-.]?(admin|system|delivery)|bounces?|mailadmin|mmdf|uucp|system)\b/i;
const SUBJECTS =
  /undeliver|delivery (status notification|failure|has failed|report)|returned mail|(mail|message|delivery) (\w+ )?(failed|failure|error|returned)|failure notice|mail system error|(could not|cannot|can't|not) be delivered|non ?remis|unzustellbar|nicht zugestellt|no se (puede|ha podido) entregar|devuelto|mancata consegna|退信|配信(不能|エラー)|не доставлено/i;
const WARNINGS =
  /(will|is going to|server) (keep|continue|try|retry)|still (trying|being)|delayed|not (yet )?been delivered (yet|after)|warning only|do not need to resend|no action is required/i;
const ADDRESS = /[a-z0-9._%+'=~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+/gi;

/**
 * Recognises bounces of servers that don't write RFC 3464 reports (qmail, Exim, Notes, hosters of their own kind): by
 * who sends them, what the subject says, and a returned message or failed address in them. Undefined when it is none.
 */
export function classifyBounceText(message: Mail): Classification | undefined {
  const failed = fieldValues(message, 'x-failed-recipients').join(',');
  const isFromServer = SENDERS.test(message.from?.address ?? '') || field(message, 'return-path') === '<>';
  const looksLikeOne =
    failed !== '' ||
    (isFromServer &&
      (SUBJECTS.test(message.subject) ||
        /this is the (qmail-send|postfix|mail system|mail delivery)|delivery (has )?failed|permanent (fatal )?error|could not be delivered/i.test(
          message.text,
        )));
  if (!looksLikeOne || (answersOf(message).length > 0 && !isFromServer)) return undefined;
  const own =
    message.text.split(/\n-{3,}.{0,40}(original|copy|returned|below|headers|unsent).{0,40}|\n(Received|Return-Path): /i)[0] ?? message.text;
  const about = {
    recipient: (failed.match(ADDRESS) ?? recipientsIn(own, message.from?.address ?? null))[0]?.toLowerCase() ?? null,
    originalMessageIds: returnedIds(message).messageIds,
  };
  if (WARNINGS.test(message.subject) || (WARNINGS.test(own) && !/permanent|giving up|could not be delivered to|returned/i.test(own)))
    return verdictOf('delay', 'a warning that delivery takes longer', about);
  const status = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(own)?.[1] ?? null;
  const { class: kind, rule } = classifyReply({ phase: 'dsn', code: null, enhanced: status, text: own.slice(0, 4_000) });
  return verdictOf(
    kind === 'hard' || (kind === 'block' && status?.startsWith('5.1.')) ? 'hard_bounce' : 'soft_bounce',
    'a bounce in the words of the server',
    { ...about, status, reasons: [rule] },
  );
}

function recipientsIn(text: string, from: string | null): string[] {
  return (text.match(ADDRESS) ?? []).filter((address) => !SENDERS.test(address) && address.toLowerCase() !== from);
}
