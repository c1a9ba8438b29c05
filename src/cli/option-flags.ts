import { Flags, type Interfaces } from '@oclif/core';
import type { Option, OptionTable, OptionValues } from '../fields/option.ts';
import { flagOf, flagText, readOption } from '../fields/option-text.ts';

type OptionFlags = Record<string, Interfaces.OptionFlag<unknown>>;

/** A flag for each option of a table, except for those that commands define a flag for themselves. */
export function flagsOf(table: OptionTable): OptionFlags {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, option]) => {
      const flag = flagOf(name, option);
      return flag === null ? [] : [[flag, flagFor(option)]];
    }),
  );
}

function flagFor(option: Option) {
  const { placeholder } = option;
  const options = option.type === 'boolean' ? ['true', 'false'] : option.type === 'choice' ? [...option.values] : undefined;
  return Flags.custom<unknown>({
    description: flagText(option),
    ...(options === undefined ? {} : { options }),
    ...(placeholder === undefined ? {} : { helpValue: placeholder }),
    // The command looks up the record, which may be given by name.
    parse: async (text) => (option.type === 'id' ? text : readOption(option, text)),
  })();
}

/** The options that flags set; those whose flag is not given are left out. */
export function optionsIn<Table extends OptionTable>(table: Table, flags: Readonly<Record<string, unknown>>): Partial<OptionValues<Table>> {
  const given = Object.entries(table).flatMap(([name, option]) => {
    const flag = flagOf(name, option);
    const value = flag === null ? undefined : flags[flag];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as Partial<OptionValues<Table>>;
}
