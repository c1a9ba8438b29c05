import type { App } from '../app.ts';
import { emailValues, renderStep } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { textOf } from '../mail/compose.ts';
import { signatureHtml } from '../templates/index.ts';
import { loadEmailSources } from './batch/email-source.ts';

/** A thread with a person is seldom longer, and answers repeat its last emails. */
const MAX_EMAILS = 20;

interface SentRow {
  id: number;
  account_id: number;
  contact_id: number;
  step_id: number | null;
  step_order: number;
  variant: string | null;
  signature: string | null;
  /** The text of an answer; null for an email of a step. */
  answer: string | null;
}

/**
 * The text of the emails that an enrolment was sent, newest first, for finding what an answer repeats of them. It is written anew from
 * the steps as they are now, so what was edited since is missing. Index: outbox_enrolment_id_step_id_key.
 */
export async function sentText(app: App, enrolmentId: number): Promise<string> {
  const rows = await sentEmails(app.db, enrolmentId);
  const texts: string[] = [];
  for (const row of rows) texts.push(await textOfRow(app, row));
  return texts.join('\n\n');
}

const sentEmails = (db: Queryable, enrolmentId: number): Promise<SentRow[]> =>
  db.query<SentRow>(sql`
    select o.id, o.account_id, o.contact_id, o.step_id, o.step_order, o.variant, ${signatureHtml('a')} as signature, w.body_html as answer
    from outbox o join accounts a on a.id = o.account_id left join answers w on w.outbox_id = o.id
    where o.enrolment_id = ${enrolmentId} and o.transmitting_at is not null order by o.id desc limit ${MAX_EMAILS}`);

async function textOfRow(app: App, row: SentRow): Promise<string> {
  if (row.step_id === null) return textOf(`${row.answer ?? ''}<p></p>${row.signature ?? ''}`);
  const source = (await loadEmailSources(app, row.account_id, [{ id: row.id, step_id: row.step_id }])).get(row.id);
  if (source === undefined) return '';
  const { html } = renderStep({
    step: source.step,
    opening: source.first,
    isB: row.variant === 'B',
    stepOrder: row.step_order,
    contactId: row.contact_id,
    // Links are no words that an answer repeats.
    values: emailValues(source.contact, source.field_keys, { unsubscribe_url: '', postal_address: source.postal_address }),
    signatureHtml: row.signature,
    footerHtml: source.footer_html,
    spintax: source.spintax,
    threadSubject: null,
  });
  return textOf(html);
}
