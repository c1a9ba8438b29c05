export { type Classification, classifyRaw, VERDICTS, type Verdict } from './classify.ts';
export { field, type InboundMessage, messageIdOf } from './message.ts';
export { splitQuote } from './quote.ts';
export { returnDate } from './return-date.ts';
export { threadSubject } from './subject.ts';
