import { COMMAND_IN_TEXT } from '../../terminal/copied-text.ts';
import type { TargetFlags } from './target.ts';

/** Commands that work on a machine, and not in a workspace. */
const OF_MACHINE =
  /^outreach (?:backup|config|demo|doctor|healthcheck|install|mail|migrate|recovered|restore|secret|start|stats|status|stop|workspace (?:archive|create|list|unarchive|use))\b/;
/** Commands that use no installation. */
const OF_USER = /^outreach (?:completion|login|logout)\b/;

/**
 * Adds the target flags of the current command to the commands in a message, so that they work on the same installation and in the same
 * workspace. Never shows a key.
 */
export function withTarget(message: string, flags: TargetFlags): string {
  return message.replaceAll(COMMAND_IN_TEXT, (command) => {
    const [, words = '', end = ''] = /^(.*?)([.!?]?)$/s.exec(command) ?? [];
    if (/ --help\b/.test(words)) return command;
    return `${words}${flagsFor(words, flags)}${end}`;
  });
}

function flagsFor(words: string, { workspace, url, 'data-dir': dataDir }: TargetFlags): string {
  if (OF_USER.test(words)) return '';
  const given = { 'data-dir': dataDir, ...(OF_MACHINE.test(words) ? {} : { url, workspace }) };
  return Object.entries(given)
    .filter(([name, value]) => value !== undefined && !words.includes(`--${name}`))
    .map(([name, value]) => ` --${name} ${quoted(value ?? '')}`)
    .join('');
}

/** Quotes a word for a shell if it needs quotes. */
export const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `"${text.replaceAll(/(["\\$`])/g, '\\$1')}"`);
