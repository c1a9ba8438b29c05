import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shortLine } from '../../core/short-line.ts';
import { type ActivityLine, followActivity } from './activity.ts';
import type { Api } from './api.ts';
import { type Labelled, newlyLabelled, newReplies, type Reply } from './new-replies.ts';
import type { WatchOptions } from './persistently.ts';

/** Something that a person may want to act on immediately. */
export interface DesktopNotice {
  title: string;
  /** Text from a stranger or a server; may be empty. */
  text: string;
  /** The command to run next. */
  command: string;
}

/** Maximum length of text from a stranger or a server in a notice. */
const MAX_TEXT = 200;
/** The most lines that the API lists. */
const MAX_LINES = 10_000;

/**
 * Reports each new reply from a person, each account that stops, reaches its daily limit while emails wait or changes its health, and each
 * campaign that completes, until the signal aborts. Reports nothing from before the call. Throws errors that a retry would not help.
 * @param labels if not empty, reports each reply that gets one of these labels instead of each new one
 */
export async function followNotices(
  api: Api,
  labels: readonly string[],
  options: WatchOptions,
  onNotice: (notice: DesktopNotice) => Promise<void>,
): Promise<void> {
  const { data } = await api.activity.list.query({ limit: 1 });
  const after = data[0]?.at ?? '';
  const replies = async () => {
    for await (const reply of newReplies(api, {}, options)) if (reply.kind !== 'auto_reply') await onNotice(ofReply(reply));
  };
  const labelled = async () => {
    for await (const reply of newlyLabelled(api, labels, options)) await onNotice(ofLabel(reply));
  };
  const changes = async () => {
    for await (const line of followActivity(api, { limit: MAX_LINES }, options)) {
      const notice = line.at > after ? ofChange(line) : undefined;
      if (notice !== undefined) await onNotice(notice);
    }
  };
  await Promise.all([labels.length === 0 ? replies() : labelled(), changes()]);
}

const ofReply = (reply: Reply): DesktopNotice => ({ ...ofLabel(reply), title: `${nameOf(reply)} replied` });

const ofLabel = (reply: Labelled): DesktopNotice => ({
  title: `${nameOf(reply)} is labelled "${reply.label}"`,
  text: shortLine([reply.subject, reply.snippet].filter((part) => part.trim() !== '').join(': '), MAX_TEXT),
  command: `outreach reply show ${reply.id}`,
});

const nameOf = ({ from, from_name }: Labelled): string => (from_name === '' ? from : from_name);

/** Returns the notice for a change of an account or a campaign; undefined for an email. */
function ofChange({ what, account, account_id, reason, campaign, campaign_id }: ActivityLine): DesktopNotice | undefined {
  const text = shortLine(reason ?? '', MAX_TEXT);
  const command = `outreach account show ${account_id}`;
  switch (what) {
    case 'paused':
    case 'disconnected':
      return { title: `${account} is ${what}`, text, command };
    case 'limited':
      return { title: `${account} has reached its ${reason}`, text: 'Emails that are due wait until its next day.', command };
    case 'health':
      return { title: `The health of ${account} changed`, text, command: `outreach account health ${account_id}` };
    case 'completed':
      return { title: `Campaign "${campaign}" is completed`, text, command: `outreach campaign show ${campaign_id}` };
    default:
      return undefined;
  }
}

/**
 * Shows a notice on the desktop with notify-send of libnotify, which reads `<` and `&` of its body as markup
 * (specifications.freedesktop.org/notification-spec). @returns the reason why it failed, or null
 */
export async function showOnDesktop({ title, text, command }: DesktopNotice): Promise<string | null> {
  const body = `${text}\n${command}`.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  try {
    await promisify(execFile)('notify-send', ['--app-name=Outreach', '--', shortLine(title, MAX_TEXT), body], { timeout: 5_000 });
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'notify-send is not installed here' : (message.trim().split('\n').at(-1) ?? message);
  }
}
