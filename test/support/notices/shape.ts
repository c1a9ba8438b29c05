import { ADA } from '../notices.ts';

/** The news in a notice: the recipient does not exist, has a full mailbox, or delivery is still being retried. */
export const NEWS = ['gone', 'full', 'late'] as const;
export type News = (typeof NEWS)[number];

/** The notices of one kind of server: its layout, and its text for each piece of news that it sends. All text is invented. */
export interface Shape {
  server: string;
  from: string;
  subject: Partial<Record<News, string>>;
  text: Partial<Record<News, string>>;
  /** False for servers that send no delivery status (RFC 3464). */
  hasStatus: boolean;
}

type Texts = Partial<Record<News, string>>;

/** Makes a shape whose three texts differ only in the reason. */
export const layout = (write: (reason: string, news: News) => string, reasons: Texts): Texts =>
  Object.fromEntries(Object.entries(reasons).map(([news, reason]) => [news, write(reason, news as News)]));

export const shape = (server: string, from: string, subject: string | Texts, text: Texts, hasStatus = true): Shape => ({
  ...{ server, from, text, hasStatus },
  subject: typeof subject === 'string' ? { gone: subject, full: subject, late: subject } : subject,
});

/** Replies of the recipient's server. */
export const GONE = `550 5.1.1 <${ADA}>: Recipient address rejected: User unknown`;
export const FULL = `552 5.2.2 <${ADA}>: Mailbox full`;
