import { valueText } from '../../fields/option-text.ts';
import { type Fact, factsText } from '../../terminal/facts.ts';
import { daysText } from '../../terminal/window-text.ts';
import { flagName } from '../client/flag-names.ts';

/**
 * Describes a change: a sentence, then each setting with its new value.
 * @param values the new settings; those that are undefined were not given
 */
export function changedText(sentence: string, values: Readonly<Record<string, unknown>>): string {
  const facts = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]): Fact => [`  ${words(name)}`, name === 'sending_days' ? daysText(value as number[]) : valueText(value) || 'empty'],
    );
  return facts.length === 0 ? sentence : `${sentence}\n${factsText(facts)}`;
}

/** A field in the words of its flag: `Daily limit`. */
function words(field: string): string {
  const flag = flagName(field).replaceAll('-', ' ');
  return flag.charAt(0).toUpperCase() + flag.slice(1);
}
