import { raw, type Sql, sql } from '../db/statement.ts';
import { providerOfDomain } from '../mail-domains/index.ts';

/**
 * The provider of account `alias`, by its SMTP server, or by its domain if the server belongs to neither: `google`, `microsoft` or `other`.
 * Null until that domain has been looked up.
 */
export const mailProviderOf = (alias: string): Sql => sql`case lower(${raw(alias)}.smtp->>'host')
  when 'smtp.gmail.com' then 'google' when 'smtp-relay.gmail.com' then 'google'
  when 'smtp.office365.com' then 'microsoft' when 'smtp-mail.outlook.com' then 'microsoft'
  else ${providerOfDomain(sql`address_domain(${raw(alias)}.email)`)} end`;
