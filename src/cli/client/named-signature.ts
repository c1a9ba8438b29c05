import type { ACCOUNT_SETTINGS } from '../../accounts/settings/index.ts';
import type { OptionValues } from '../../fields/option.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';

type Settings = Partial<OptionValues<typeof ACCOUNT_SETTINGS>>;

/** Replaces the signature that a flag names, by id or name, with its id in an account's settings; `none` becomes null. Throws `not_found`. */
export async function withSignature(api: Api, settings: Settings): Promise<Settings> {
  const given: unknown = settings.signature_template_id;
  if (typeof given !== 'string') return settings;
  return { ...settings, signature_template_id: given === 'none' ? null : await idOf(api, 'template', given) };
}
