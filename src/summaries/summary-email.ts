import type { Recipient, SystemEmail } from '../access/index.ts';
import { quantity } from '../core/english.ts';
import { terminalLine } from '../core/terminal-text.ts';
import type { Summary } from './read-summary.ts';

const MAX_CHARACTERS = 120;
const MAX_LINES = 20;

/** Puts foreign text on one line, without characters that reorder or break it, and cuts it. */
function shortened(text: string): string {
  const characters = [...terminalLine(text.replaceAll(/\s+/g, ' '))];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : characters.join('');
}

/** Writes the email with a summary, as plain text. */
export function summaryEmail({ email, workspace }: Recipient, summary: Summary): SystemEmail {
  const needed = actionsOf(summary);
  const completed = summary.completed.length;
  const subject = [
    ...(summary.new_replies > 0 ? [quantity(summary.new_replies, 'new reply', 'new replies')] : []),
    ...(completed > 0 ? [`${quantity(completed, 'campaign')} completed`] : []),
    ...(needed.length > 0 ? ['action needed'] : []),
  ];
  const parts = [
    ...repliesOf(summary),
    ...eventsOf(summary),
    ...(needed.length > 0 ? [['Needs attention:', '', ...needed].join('\n')] : []),
  ];
  const text = ['Hello,', `Here is what's new in the workspace "${workspace}" on Outreach.`, ...parts, ENDING].join('\n\n');
  return { to: email, subject: `${workspace}: ${subject.join(', ')}`, text: `${text}\n` };
}

const ENDING = 'You get this once a day because it was set for your account. To stop it: outreach user set EMAIL --daily-summary off';

function repliesOf({ replies, new_replies: total }: Summary): string[] {
  if (total === 0) return [];
  const lines = replies.flatMap(({ from, from_name, subject, snippet }) => [
    `- ${shortened(from_name === '' ? from : `${from_name} <${from}>`)}: ${shortened(subject)}`,
    ...(snippet.trim() === '' ? [] : [`  ${shortened(snippet)}`]),
  ]);
  const rest = total > replies.length ? [`- and ${total - replies.length} more`] : [];
  return [[`${quantity(total, 'new reply', 'new replies')} (outreach reply list):`, '', ...lines, ...rest].join('\n')];
}

function eventsOf({ completed, limited }: Summary): string[] {
  const lines = [
    ...completed.slice(0, MAX_LINES).map((name) => `- The campaign "${shortened(name)}" is completed`),
    ...(completed.length > MAX_LINES ? [`- and ${completed.length - MAX_LINES} more campaigns (outreach campaign list)`] : []),
    ...limited.slice(0, MAX_LINES).map((email) => `- The account ${shortened(email)} reached its daily limit; other emails waited`),
    ...(limited.length > MAX_LINES ? [`- and ${limited.length - MAX_LINES} more accounts (outreach logs)`] : []),
  ];
  return lines.length === 0 ? [] : [['What happened:', '', ...lines].join('\n')];
}

function actionsOf({ accounts, unwell, uncertain, held, calls }: Summary): string[] {
  const stopped = accounts.slice(0, MAX_LINES).map(({ email, status, pause_message, connection_error }) => {
    const reason = pause_message ?? connection_error;
    const state = status === 'active' ? "can't reach its mail server" : `is ${status}`;
    return `- The account ${shortened(email)} ${state}${reason === null ? '' : `: ${shortened(reason)}`}`;
  });
  const ill = unwell.slice(0, MAX_LINES).map(({ email, problems }) => {
    const found = problems.map(({ check, detail }) => `${check}: ${detail}`).join('; ');
    return `- The account ${shortened(email)} should stop sending: ${shortened(found)} (outreach account health ${shortened(email)})`;
  });
  return [
    ...stopped,
    ...(accounts.length > MAX_LINES ? [`- and ${accounts.length - MAX_LINES} more accounts (outreach account list)`] : []),
    ...ill,
    ...(unwell.length > MAX_LINES ? [`- and ${unwell.length - MAX_LINES} more (outreach account health --all)`] : []),
    ...(uncertain > 0 ? [`- ${quantity(uncertain, 'email')} of unknown delivery (outreach outbox list --uncertain)`] : []),
    ...(held > 0 ? [`- ${quantity(held, 'contact')} whose next email can't be written (outreach campaign check CAMPAIGN)`] : []),
    ...(calls > 0 ? [`- ${quantity(calls, 'call')} to make (outreach call list)`] : []),
  ];
}
