export { type Classification, classifyRaw, VERDICTS, type Verdict } from './classify.ts';
export { type Explanation, explainRaw } from './explain.ts';
export { splitQuote } from './quote.ts';
export type { InboundHead, MessageContent, ReadMessage } from './read-message.ts';
export { BEGINNING_BYTES, MessageReaders, type Outcome } from './reader.ts';
export { returnDate } from './return-date.ts';
export type { SentEmail } from './sent-email.ts';
export { threadSubject } from './subject.ts';
