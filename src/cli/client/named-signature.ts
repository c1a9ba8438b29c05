import type { ACCOUNT_SETTINGS } from '../../accounts/settings/index.ts';
import type { OptionValues } from '../../fields/option.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';

type Settings = Partial<OptionValues<typeof ACCOUNT_SETTINGS>>;

/** Settings of an account whose signature a flag names, by its id or its name; `none` unsets it. Throws `not_found`. */
export async function withSignature(api: Api, settings: Settings): Promise<Settings> {
  const given: unknown = settings.signature_template_id;
  if (typeof given !== 'string') return settings;
  return { ...settings, signature_template_id: given === 'none' ? null : await idOf(api, 'template', given) };
}
