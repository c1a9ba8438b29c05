import { footerHtml, postalAddress } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CopyAddresses, contentVersion, replyAccountId } from '../../campaigns/index.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import type { ClaimedEmail } from '../email/claim.ts';

/** Columns of the step, contact and campaign from which an email is rendered. */
export interface EmailSource {
  step: { subject: string; body_html: string; subject_b: string | null; body_html_b: string | null };
  /** Step 1 of the same campaign, whose subject is used by later steps that open a new thread. */
  first: { subject: string; subject_b: string | null };
  contact: { name: string; email: string; company: string | null; custom_fields: Record<string, string> };
  /** Keys of the workspace's custom fields, without deleted ones. */
  field_keys: string[];
  reply_to: string | null;
  /** Who else gets a copy; null for nobody. */
  copies: CopyAddresses | null;
  /** The connected account whose mailbox gets the replies, or null. */
  reply_account_id: number | null;
  track_opens: boolean;
  track_clicks: boolean;
  tracking_host: string | null;
  list_id: string | null;
  enrolled_at: Date;
  /** The footer of the workspace, unless the campaign has none. */
  footer_html: string | null;
  postal_address: string | null;
  /** The version of all that the email is written from. */
  content_version: string;
}

/** Condition: `copy.address` is suppressed in the workspace of the email `o`. */
export const isSuppressedCopy = (app: App): Sql => suppressedCondition(app, raw('o.workspace_id'), raw('copy.address'));

/** The addresses of a column, but for the recipient, who gets the email itself, and suppressed ones. */
const others = (app: App, column: string): Sql => sql`array(
  select copy.address from unnest(${raw(column)}) as copy (address)
  where lower(copy.address) <> lower(o.recipient) and not ${isSuppressedCopy(app)})`;

/** Reads the source of each claimed email, by its outbox id; an email whose step or contact is gone has none. */
export async function loadEmailSources(app: App, emails: readonly ClaimedEmail[]): Promise<Map<number, EmailSource>> {
  const rows = await app.db.query<EmailSource & { id: number }>(sql`
    select o.id,
      jsonb_build_object('subject', s.subject, 'body_html', s.body_html, 'subject_b', s.subject_b, 'body_html_b', s.body_html_b) as step,
      coalesce((select jsonb_build_object('subject', f.subject, 'subject_b', f.subject_b) from steps f
        where f.campaign_id = o.campaign_id and f.step_order = 1 and f.deleted_at is null), '{"subject": "", "subject_b": null}') as first,
      jsonb_build_object('name', t.name, 'email', t.email, 'company', t.company, 'custom_fields', t.custom_fields) as contact,
      case when c.cc <> '{}' or c.bcc <> '{}' then jsonb_build_object('cc', ${others(app, 'c.cc')}, 'bcc', ${others(app, 'c.bcc')}) end as copies,
      c.reply_to, c.track_opens, c.track_clicks, a.tracking_host, a.list_id, e.created_at as enrolled_at,
      case when c.footer then ${footerHtml('c.workspace_id')} end as footer_html, ${postalAddress('c.workspace_id')} as postal_address,
      ${replyAccountId('c', 'a')} as reply_account_id,
      ${contentVersion} as content_version,
      (select coalesce(jsonb_agg(f.key), '[]') from custom_fields f where f.workspace_id = o.workspace_id and f.deleted_at is null) as field_keys
    from outbox o
    join steps s on s.id = o.step_id
    join contacts t on t.id = o.contact_id
    join enrolments e on e.id = o.enrolment_id
    join campaigns c on c.id = o.campaign_id
    join accounts a on a.id = o.account_id
    where o.id = any(${emails.map((email) => email.id)}::bigint[])`);
  return new Map(rows.map(({ id, ...source }) => [Number(id), source]));
}
