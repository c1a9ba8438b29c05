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
    .map(([name, value]): Fact => [`  ${words(name)}`, shown(name, value)]);
  return facts.length === 0 ? sentence : `${sentence}\n${factsText(facts)}`;
}

const UNITS = { seconds: 's', minutes: 'min' } as const;

/** Formats a value, with its unit if the field's name has one and the flag's name does not: `30 s`. */
function shown(field: string, value: unknown): string {
  if (field === 'sending_days') return daysText(value as number[]);
  const unit = Object.entries(UNITS).find(([name]) => field.endsWith(`_${name}`) && !flagName(field).endsWith(name));
  return `${valueText(value) || 'empty'}${unit === undefined || value === null ? '' : ` ${unit[1]}`}`;
}

/** Formats the name of a field like its flag, as words: `Daily limit`. */
function words(field: string): string {
  const flag = flagName(field).replaceAll('-', ' ');
  return flag.charAt(0).toUpperCase() + flag.slice(1);
}
