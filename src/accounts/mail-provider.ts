import { raw, type Sql, sql } from '../db/statement.ts';
import { providerOfDomain } from '../mail-domains/index.ts';

/**
 * The provider that account `alias` sends from, by its SMTP server, or by its domain where the server is another's: `google`,
 * `microsoft` or `other`. Null until that domain was looked up.
 */
export const mailProviderOf = (alias: string): Sql => sql`case lower(${raw(alias)}.smtp->>'host')
  when 'smtp.gmail.com' then 'google' when 'smtp-relay.gmail.com' then 'google'
  when 'smtp.office365.com' then 'microsoft' when 'smtp-mail.outlook.com' then 'microsoft'
  else ${providerOfDomain(sql`address_domain(${raw(alias)}.email)`)} end`;
