import { valueText } from '../../fields/option-text.ts';
import { type Fact, factsText } from '../../terminal/facts.ts';
import { daysText } from '../../terminal/window-text.ts';

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

/** A field in words: `Daily send limit`. */
const words = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
