export { type Classification, classifyRaw, VERDICTS, type Verdict } from './classify.ts';
export { splitQuote } from './quote.ts';
export type { InboundHead, MessageContent } from './read-message.ts';
export { BEGINNING_BYTES, MessageReaders, type Outcome } from './reader.ts';
export { returnDate } from './return-date.ts';
export { threadSubject } from './subject.ts';
