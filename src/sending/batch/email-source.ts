import { footerHtml, postalAddress } from '../../access/index.ts';
import { hasReadableMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { type CopyAddresses, contactVersion, optOutAddress, replyAccountId, stepVersion } from '../../campaigns/index.ts';
import { isRiskyAddress, suppressedCondition } from '../../contacts/index.ts';
import { prepared, raw, type Sql, sql } from '../../db/statement.ts';
import type { AttachedFile } from '../../uploads/attachments.ts';
import type { ClaimedEmail } from '../email/claim.ts';

/** The part of an email's source that all emails of a step share. */
interface StepSource {
  step: { subject: string; body_html: string; subject_b: string | null; body_html_b: string | null };
  /** Step 1 of the same campaign, whose subject is used by later steps that open a new thread. */
  first: { subject: string; subject_b: string | null };
  /** Keys of the workspace's custom fields, without deleted ones. */
  field_keys: string[];
  reply_to: string | null;
  /** The connected account whose mailbox gets the replies, or null. */
  reply_account_id: number | null;
  /** The mailbox that receives unsubscribe requests; null if no mailbox is read. */
  opt_out_address: string | null;
  track_opens: boolean;
  track_clicks: boolean;
  tracking_host: string | null;
  list_id: string | null;
  /** The footer of the workspace, unless the campaign has none. */
  footer_html: string | null;
  /** Files attached to the emails of the step. */
  attachments: AttachedFile[];
  /** True if one alternative of each `{a|b}` is sent. */
  spintax: boolean;
  postal_address: string | null;
}

/** The columns of step, contact and campaign from which an email is written. */
export interface EmailSource extends StepSource {
  contact: { name: string; email: string; company: string | null; custom_fields: Record<string, string> };
  /** Addresses that get a copy; null for none. */
  copies: CopyAddresses | null;
  enrolled_at: Date;
  /** Accounts to whose mailboxes earlier emails of the sequence directed replies, as far as those mailboxes can be read. */
  promised_account_ids: number[];
  /** True if the campaign skips risky addresses and the contact's address is risky. */
  is_avoided: boolean;
  /** Changes with anything that the email is written from. */
  content_version: string;
}

/** Condition: `copy.address` is suppressed in the workspace of the email `o`. */
export const isSuppressedCopy = (app: App): Sql => suppressedCondition(app, raw('o.workspace_id'), raw('copy.address'));

/** Selects the addresses of a column, without suppressed ones and without the recipient, who gets the email itself. */
const copyAddresses = (app: App, column: string): Sql => sql`array(
  select copy.address from unnest(${raw(column)}) as copy (address)
  where mailbox_key(copy.address) <> mailbox_key(o.recipient) and not ${isSuppressedCopy(app)})`;

type SourcedEmail = Pick<ClaimedEmail, 'id' | 'step_id'>;

/** Reads the source of each claimed email of an account, by outbox id. Emails whose step or contact is gone are missing from the result. */
export async function loadEmailSources(app: App, accountId: number, emails: readonly SourcedEmail[]): Promise<Map<number, EmailSource>> {
  const [ofSteps, ofEmails] = await Promise.all([loadSteps(app, accountId, emails), loadContacts(app, emails)]);
  const steps = new Map(ofSteps.map(({ step_id, step_version, ...source }) => [step_id, { source, step_version }]));
  return new Map(
    ofEmails.flatMap(
      ({ id, step_id, name, email, company, custom_fields, copies, enrolled_at, promised_account_ids, is_avoided, contact_version }) => {
        const step = steps.get(step_id);
        if (step === undefined) return [];
        const contact = { name, email, company, custom_fields };
        return [
          [
            id,
            {
              ...step.source,
              contact,
              copies,
              enrolled_at,
              promised_account_ids,
              is_avoided,
              content_version: `${step.step_version} ${contact_version}`,
            },
          ],
        ];
      },
    ),
  );
}

/**
 * Reads the shared part once a step, because a batch has few steps. Indexes: steps_pkey, steps_live_order, accounts_pkey, campaigns_pkey.
 */
function loadSteps(app: App, accountId: number, emails: readonly SourcedEmail[]): Promise<(StepSource & StepKey)[]> {
  return app.db.query<StepSource & StepKey>(
    prepared(
      'steps-of-emails',
      sql`
    select s.id as step_id, ${stepVersion} as step_version,
      jsonb_build_object('subject', s.subject, 'body_html', s.body_html, 'subject_b', s.subject_b, 'body_html_b', s.body_html_b) as step,
      coalesce((select jsonb_build_object('subject', f.subject, 'subject_b', f.subject_b) from steps f
        where f.campaign_id = c.id and f.step_order = 1 and f.deleted_at is null), '{"subject": "", "subject_b": null}') as first,
      s.attachments, c.reply_to, c.track_opens, c.track_clicks, a.tracking_host, a.list_id,
      c.spintax, case when c.footer then ${footerHtml('c.workspace_id')} end as footer_html, ${postalAddress('c.workspace_id')} as postal_address,
      ${replyAccountId('c', 'a')} as reply_account_id, ${optOutAddress('c', 'a')} as opt_out_address,
      (select coalesce(jsonb_agg(f.key), '[]') from custom_fields f where f.workspace_id = c.workspace_id and f.deleted_at is null) as field_keys
    from steps s join campaigns c on c.id = s.campaign_id join accounts a on a.id = ${accountId}
    where s.id = any((select ${[...new Set(emails.map((email) => email.step_id))]}::int[])::int[])`,
    ),
  );
}

interface StepKey {
  step_id: number;
  step_version: string;
}

type ContactRow = Pick<EmailSource, 'copies' | 'enrolled_at' | 'promised_account_ids' | 'is_avoided'> &
  EmailSource['contact'] & { id: number; step_id: number; contact_version: string };

/** Indexes: outbox_pkey, outbox_enrolment_id_step_id_key, contacts_pkey, enrolments_pkey, campaigns_pkey. */
function loadContacts(app: App, emails: readonly SourcedEmail[]): Promise<ContactRow[]> {
  return app.db.query<ContactRow>(
    prepared(
      'contacts-of-emails',
      sql`
    select o.id, o.step_id, t.name, t.email, t.company, t.custom_fields, e.created_at as enrolled_at, ${contactVersion} as contact_version,
      c.skip_risky and ${isRiskyAddress('t')} as is_avoided,
      array(select distinct p.id from outbox earlier join accounts p on p.id = earlier.reply_account_id
        where earlier.enrolment_id = o.enrolment_id and ${hasReadableMailbox('p')}) as promised_account_ids,
      case when c.cc <> '{}' or c.bcc <> '{}' then jsonb_build_object('cc', ${copyAddresses(app, 'c.cc')}, 'bcc', ${copyAddresses(app, 'c.bcc')}) end as copies
    from outbox o
    join contacts t on t.id = o.contact_id
    join enrolments e on e.id = o.enrolment_id
    join campaigns c on c.id = o.campaign_id
    where o.id = any((select ${emails.map((email) => email.id)}::bigint[])::bigint[])`,
    ),
  );
}
