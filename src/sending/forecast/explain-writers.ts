import type { Caller } from '../../access/index.ts';
import { quantity } from '../../core/english.ts';
import { WRITER_WORDS } from '../../core/writer-words.ts';
import type { Queryable } from '../../db/statement.ts';
import { type OtherWriter, otherWriters } from '../../replies/index.ts';

/** Describes replies from addresses other than those that were emailed: to whom we attribute them, and why. */
export const writerNotes = (db: Queryable, caller: Caller, campaignId: number): Promise<string[]> =>
  otherWriters(db, caller, campaignId).then((others) => others.map(writerNote));

function writerNote({ writer, because, answers, sender, reply_id }: OtherWriter): string {
  const count = quantity(answers, 'reply came from an address that was not emailed', 'replies came from addresses that were not emailed');
  const example = answers === 1 ? sender : `for example ${sender}`;
  return `${count} (${example}), attributed to ${WRITER_WORDS[writer]}: ${because}; see: outreach reply show ${reply_id}`;
}
