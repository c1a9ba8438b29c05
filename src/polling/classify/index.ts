export { type Classification, classifyMail, classifyRaw, VERDICTS, type Verdict } from './classify.ts';
export { field, type Mail, type Mailbox, mailboxes, messageIdOf, parseMail } from './message.ts';
export { splitQuote } from './quote.ts';
export { returnDate } from './return-date.ts';
export { threadSubject } from './subject.ts';
