import wrapAnsi from 'wrap-ansi';
import { terminalText } from '../core/terminal-text.ts';
import { extrasOf } from '../terminal/answer-extras.ts';
import { localText } from '../terminal/local-text.ts';
import { plainWidth, shownLine } from '../terminal/text-width.ts';
import type { ReplyDetails } from './reply-book.ts';

/** A line of an opened reply. */
export interface ReplyTextLine {
  text: string;
  isHeading?: boolean;
}

const wrap = (text: string, width: number): string[] => wrapAnsi(text, width, { hard: true, trim: false }).split('\n');

/** Spacing marks, and letters that a virama joins: measured as zero columns, but drawn as one by most terminals. */
const WIDE_MARKS = /\p{Mc}|[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]\p{Lo}/gu;

/** Wraps text to lines that fit the width both as measured and as drawn. */
export function wrapped(text: string, width: number): string[] {
  return wrap(plainWidth(terminalText(text)), width).flatMap((line) => {
    const wider = line.match(WIDE_MARKS)?.length ?? 0;
    return wider === 0 ? [line] : wrap(line, Math.max(Math.ceil(width / 2), width - wider));
  });
}

/** Formats an opened reply as lines of a width: its text, its attachments and drafts, then every other email to and from the contact, oldest first. */
export function replyLines(reply: ReplyDetails, width: number): ReplyTextLine[] {
  const others = reply.thread.filter(({ type, reply_id }) => type === 'step' || type === 'answer' || reply_id !== reply.id);
  return [
    ...wrapped(reply.text === '' ? '(no text was kept)' : reply.text, width).map((text) => ({ text })),
    ...extraLines({ cc: [], attachments: reply.attachments }, width),
    ...reply.drafts.flatMap((draft) => [
      { text: '' },
      { text: draftHeading(draft), isHeading: true },
      ...extraLines(draft, width),
      ...bodyOf({ text: draft.body_text, error: null }, width),
    ]),
    ...others.flatMap((message) => [
      { text: '' },
      { text: headingOf(message), isHeading: true },
      ...extraLines(message, width),
      ...bodyOf(message, width),
    ]),
  ];
}

const extraLines = (email: Parameters<typeof extrasOf>[0], width: number): ReplyTextLine[] =>
  extrasOf(email).flatMap((line) => wrapped(line, width).map((text) => ({ text })));

type Message = ReplyDetails['thread'][number];

function headingOf({ type, at, from, to, subject, step_order, state }: Message): string {
  const what = type === 'step' ? `email of step ${step_order}` : type === 'answer' ? `answer, ${state}` : type.replaceAll('_', ' ');
  return `── ${localText(at, 'UTC')}  ${what}  ${shownLine(from)} → ${shownLine(to)}  ${shownLine(subject)}`;
}

const draftHeading = ({ created_at, subject, send_at }: ReplyDetails['drafts'][number]): string =>
  `── ${localText(created_at, 'UTC')}  drafted answer${send_at === null ? '' : `, for ${localText(send_at, 'UTC')}`}  ${shownLine(subject)}`;

function bodyOf({ text, error }: Pick<Message, 'text' | 'error'>, width: number): ReplyTextLine[] {
  const reason = error === null ? [] : [{ text: `the server said: ${shownLine(error)}` }];
  return [...reason, ...(text === null ? [] : wrapped(text, width).map((line) => ({ text: line })))];
}
