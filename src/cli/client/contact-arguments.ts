import { Args, Flags, type Interfaces } from '@oclif/core';
import { invalid } from '../../core/errors.ts';

/** The argument of every command about one contact. */
export const contactArgument = Args.string({ required: true, description: 'email address or id of the contact' });

/** The flags that `contact create` and `contact set` share. */
export const contactFlags = {
  company: Flags.string({ description: 'company, or none', helpValue: 'C' }),
  field: Flags.string({
    description: 'value of a custom field, by its key; may be repeated',
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'KEY=VALUE',
  }),
  name: Flags.string({ description: 'name of the person', helpValue: 'N' }),
  shared: Flags.option({ options: ['true', 'false'] as const, description: 'share the contact with everyone in the workspace' })(),
};

/** The fields of the contact's record in the flags, without the custom ones; undefined for those not given. */
export const contactFrom = ({ company, name, shared }: Omit<Interfaces.InferredFlags<typeof contactFlags>, 'field'>) => ({
  name,
  company: company === 'none' ? null : company,
  is_shared_to_all: shared === undefined ? undefined : shared === 'true',
});

/** The values in --field; an empty one is null, which removes the value. Throws `invalid_request` for a value without a key. */
export function valuesFrom(pairs: readonly string[] | undefined): Record<string, string | null> | undefined {
  if (pairs === undefined) return undefined;
  const entries = pairs.map((pair): [string, string | null] => {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw invalid(`--field: must be KEY=VALUE, for example city=Berlin, not "${pair}"`);
    return [key.trim(), value === '' ? null : value];
  });
  return Object.fromEntries(entries);
}
