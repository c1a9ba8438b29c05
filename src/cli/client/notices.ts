import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ActivityLine, followActivity } from './activity.ts';
import type { Api } from './api.ts';
import { newReplies, type Reply } from './new-replies.ts';
import type { WatchOptions } from './persistently.ts';

/** A thing that a person may want to act on at once. */
export interface DesktopNotice {
  title: string;
  /** The words of a stranger or a server; may be empty. */
  text: string;
  /** To run next. */
  command: string;
}

/** Longest text of a stranger or a server in a notice. */
const MAX_TEXT = 200;
/** The most lines that the API lists. */
const MAX_LINES = 10_000;

/**
 * Tells of each new reply of a person and each account that stops from now on, until the signal aborts; it never rings for what came in
 * before. Throws what asking again would not help.
 */
export async function followNotices(api: Api, options: WatchOptions, onNotice: (notice: DesktopNotice) => Promise<void>): Promise<void> {
  const { data } = await api.activity.list.query({ limit: 1 });
  const after = data[0]?.at ?? '';
  const replies = async () => {
    for await (const reply of newReplies(api, {}, options)) if (reply.kind !== 'auto_reply') await onNotice(ofReply(reply));
  };
  const stops = async () => {
    for await (const line of followActivity(api, { limit: MAX_LINES }, options))
      if (line.at > after && (line.what === 'paused' || line.what === 'disconnected')) await onNotice(ofStop(line));
  };
  await Promise.all([replies(), stops()]);
}

const ofReply = ({ id, from, from_name, subject, snippet }: Reply): DesktopNotice => ({
  title: `${from_name === '' ? from : from_name} replied`,
  text: shortened([subject, snippet].filter((part) => part.trim() !== '').join(': ')),
  command: `outreach reply show ${id}`,
});

const ofStop = ({ what, account, account_id, reason }: ActivityLine): DesktopNotice => ({
  title: `${account ?? 'an account'} is ${what}`,
  text: shortened(reason ?? ''),
  command: `outreach account show ${account_id}`,
});

/** One line, without what reorders it. */
const shortened = (text: string): string => [...text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()].slice(0, MAX_TEXT).join('');

/**
 * Shows a notice on the desktop with notify-send of libnotify, which reads `<` and `&` of its body as markup
 * (specifications.freedesktop.org/notification-spec). @returns why it could not; null if it did
 */
export async function showOnDesktop({ title, text, command }: DesktopNotice): Promise<string | null> {
  const body = `${text}\n${command}`.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  try {
    await promisify(execFile)('notify-send', ['--app-name=Outreach', '--', shortened(title), body], { timeout: 5_000 });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'notify-send is not installed here' : (message.trim().split('\n').at(-1) ?? message);
  }
}
