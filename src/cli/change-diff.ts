import { structuredPatch } from 'diff';
import { terminalText } from '../core/terminal-text.ts';

/** The fields of a change, each with the lines in which its values differ: `-` before, `+` after. */
export const changeDiff = (changes: Record<string, unknown>): string =>
  Object.entries(changes)
    .map(([field, value]) => {
      if (!Array.isArray(value) || value.length !== 2) return `  ${field}: ${written(value)}`;
      const [before, after] = value.map(written) as [string, string];
      if (!`${before}${after}`.includes('\n')) return `- ${field}: ${before}\n+ ${field}: ${after}`;
      const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: 1 });
      return [`  ${field}:`, ...hunks.flatMap(({ lines }) => lines)].join('\n');
    })
    .join('\n');

/** Formats a value as text. Each HTML paragraph gets its own line, so that the diff shows where a change is. */
const written = (value: unknown): string =>
  terminalText(typeof value === 'string' ? value.replaceAll(/(<\/p>|<br\s*\/?>)(?=\S)/gi, '$1\n') : (JSON.stringify(value) ?? ''));
