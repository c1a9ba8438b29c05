import { quantity } from '../core/english.ts';
import { shortLine } from '../core/short-line.ts';
import type { StoredMessage } from './envelope.ts';
import { listEventTypes } from './types.ts';

/** The formats of a webhook's messages: signed JSON for programs, or a notice for people in a chat. */
export const FORMATS = ['json', 'slack', 'teams', 'discord'] as const;
export type Format = (typeof FORMATS)[number];

/** The default types for a chat: those that a person may want to act on. */
export const NOTICE_TYPES: readonly string[] = [
  ...['reply.received', 'reply.labelled', 'account.paused', 'account.limit_reached', 'account.health_changed', 'campaign.completed'],
];

/** Maximum length of a stranger's or a server's text in a notice. */
const MAX_TEXT = 500;

interface Notice {
  title: string;
  lines: string[];
  /** The command to run next, for pasting; null if there is none. */
  command: string | null;
}

/** The parts of messages that notices mention. Any may be missing. */
interface Named {
  reply?: { id: number; from: string; from_name: string; subject: string; snippet: string; label: string | null };
  campaign?: { id: number; name: string };
  contact?: { name: string; email: string };
  account?: {
    id: number;
    email: string;
    pause_reason?: string | null;
    pause_message?: string | null;
    health?: string;
    daily_limit?: number;
  };
}

/** The account of `account.health_changed`. */
interface HealthChange {
  id: number;
  email: string;
  health: string;
  previous_health: string | null;
  problems: { check: string; detail: string; remedy: string }[];
}

/** Returns the body of a message for a chat: https://api.slack.com/messaging/webhooks, Adaptive Cards 1.4, Discord's execute webhook. */
export function noticeBody(message: StoredMessage, format: Exclude<Format, 'json'>): string {
  const notice = noticeOf(message);
  const { title, lines, command } = notice;
  if (format === 'slack') {
    const text = [`*${slackText(title)}*`, ...lines.map(slackText)].join('\n');
    const run = command === null ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: `\`${command}\`` }] }];
    return JSON.stringify({ text: slackText(title), blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }, ...run] });
  }
  if (format === 'teams') {
    const block = (text: string, look: object = {}) => ({ type: 'TextBlock', text: markdownText(text), wrap: true, ...look });
    const run = command === null ? [] : [block(command, { fontType: 'Monospace', isSubtle: true })];
    const content = {
      type: 'AdaptiveCard',
      version: '1.4',
      body: [block(title, { weight: 'Bolder' }), ...lines.map((line) => block(line)), ...run],
    };
    return JSON.stringify({ type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] });
  }
  const text = [`**${markdownText(title)}**`, ...lines.map(markdownText), ...(command === null ? [] : [`\`${command}\``])].join('\n');
  // A stranger's text must not mention (and so notify) anyone.
  return JSON.stringify({ content: [...text].slice(0, 2_000).join(''), allowed_mentions: { parse: [] } });
}

function noticeOf({ type, data }: StoredMessage): Notice {
  const { reply, campaign, contact, account } = data as Named;
  const of = campaign === undefined ? '' : ` to "${campaign.name}"`;
  if (reply !== undefined) {
    const who = reply.from_name === '' ? reply.from : `${reply.from_name} (${reply.from})`;
    const title = type === 'reply.labelled' ? `${who} is labelled "${reply.label ?? 'none'}"` : `${who} replied${of}`;
    return {
      title,
      lines: [reply.subject, reply.snippet].filter((line) => line.trim() !== ''),
      command: `outreach reply show ${reply.id}`,
    };
  }
  if (account?.health !== undefined) return healthNotice(account as HealthChange);
  if (account?.daily_limit !== undefined) {
    const title = `${account.email} has reached its daily limit of ${quantity(account.daily_limit, 'email')}`;
    return { title, lines: ['Emails that are due wait until its next day.'], command: `outreach account show ${account.id}` };
  }
  const title = listEventTypes().find((one) => one.type === type)?.description ?? type;
  if (type.startsWith('account.') && account !== undefined) {
    const reasons = [account.pause_reason, account.pause_message].filter((text): text is string => typeof text === 'string');
    return { title: `${account.email}: ${title}`, lines: reasons, command: `outreach account show ${account.id}` };
  }
  const named = [contact && `${contact.name} ${contact.email}`.trim(), campaign && `Campaign "${campaign.name}"`];
  const lines = named.filter((line): line is string => line !== undefined);
  return { title, lines, command: campaign === undefined ? null : `outreach campaign show ${campaign.id}` };
}

/** Maximum problems in a notice. The command shows all. */
const MAX_PROBLEMS = 3;

function healthNotice({ id, email, health, previous_health: before, problems }: HealthChange): Notice {
  return {
    title: `The health of ${email} is ${health}${before === null ? '' : `; it was ${before}`}`,
    lines: problems.slice(0, MAX_PROBLEMS).map(({ check, detail, remedy }) => `${check}: ${detail}; ${remedy}`),
    command: `outreach account health ${id}`,
  };
}

/** https://api.slack.com/reference/surfaces/formatting#escaping; a stranger's text must not become a link or a mention. */
const slackText = (text: string): string =>
  shortLine(text, MAX_TEXT).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const markdownText = (text: string): string => shortLine(text, MAX_TEXT).replaceAll(/[\\`*_~|[\]()#>]/g, '\\$&');
