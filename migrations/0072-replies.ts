import { Migration } from '@mikro-orm/migrations';

/**
 * Replies: the inbound messages that people and autoresponders sent about an email of ours, with their text, and what people noted on
 * them. Those recorded so far are taken over with the words that were kept; their effects were not noted, so they can't be redone.
 */
export class Replies0072 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- The words of a text, for a search that knows no language: split at spaces and punctuation, in lower case. Ideographs and Hangul,
      -- which are written without spaces, are words each.
      create function words_of(text) returns tsvector language sql immutable parallel safe return (
        select array_to_tsvector(coalesce(array_agg(distinct left(word, 60)), '{}'))
        from regexp_split_to_table(
          regexp_replace(lower($1), '([\\u2e80-\\u2fdf\\u3040-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff])', ' \\1 ', 'g'),
          '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f\\uff00-\\uff0f]+') word
        where word <> '');

      create table replies (
        id integer generated always as identity primary key,
        workspace_id integer not null references workspaces,
        campaign_id integer not null references campaigns,
        contact_id integer not null references contacts,
        enrolment_id integer not null references enrolments,
        -- Of the email that was answered.
        account_id integer not null references accounts,
        outbox_id bigint not null references outbox,
        step_order integer not null,
        inbound_id bigint not null unique references inbound_messages,
        -- The account in whose mailbox it arrived.
        mailbox_id integer not null references accounts,
        kind text not null check (kind in ('reply', 'colleague', 'unsubscribe_request', 'auto_reply')),
        sender text not null,
        sender_name text not null,
        subject text not null,
        -- What the author wrote, and the whole text with its quotations.
        own_text text not null,
        full_text text not null,
        files jsonb not null default '[]',
        -- What its effect depends on beside its kind.
        has_left boolean not null default false,
        returns_on date,
        has_known_effect boolean not null default true,
        label text,
        is_read boolean not null default false,
        assigned_to integer references users,
        received_at timestamptz not null,
        answered_at timestamptz,
        created_at timestamptz not null,
        words tsvector generated always as (words_of(sender || ' ' || sender_name || ' ' || subject || ' ' || own_text)) stored
      );

      insert into replies (workspace_id, campaign_id, contact_id, enrolment_id, account_id, outbox_id, step_order, inbound_id, mailbox_id, kind,
        sender, sender_name, subject, own_text, full_text, has_known_effect, is_read, received_at, created_at)
      select o.workspace_id, o.campaign_id, o.contact_id, o.enrolment_id, o.account_id, o.id, o.step_order, m.id, m.account_id,
        case when m.verdict = 'reply' and m.writer = 'colleague' then 'colleague' else m.verdict end, coalesce(m.sender, ''),
        '', coalesce(m.subject, ''), coalesce(m.snippet, ''), coalesce(m.snippet, ''), false, true, coalesce(m.received_at, m.created_at), m.created_at
      from inbound_messages m join outbox o on o.id = m.outbox_id
      where m.verdict in ('reply', 'unsubscribe_request', 'auto_reply') and m.writer in ('contact', 'colleague', 'stranger') order by m.id;

      -- Each holds what a page chooses its rows by.
      create index replies_page on replies (workspace_id, received_at desc, id desc) include (kind, campaign_id, contact_id);
      create index replies_unread on replies (workspace_id, received_at desc, id desc) include (kind, campaign_id, contact_id) where not is_read;
      create index replies_campaign on replies (campaign_id, received_at desc, id desc) include (workspace_id, kind, contact_id);
      create index replies_account on replies (account_id, received_at desc, id desc) include (workspace_id, kind, campaign_id, contact_id);
      create index replies_contact on replies (contact_id, received_at desc, id desc);
      create index replies_label on replies (workspace_id, label, received_at desc, id desc) include (kind, campaign_id, contact_id)
        where label is not null;
      create index replies_assigned on replies (assigned_to, received_at desc, id desc) include (workspace_id, kind, campaign_id, contact_id)
        where assigned_to is not null;
      create index replies_words on replies using gin (words);
      create index replies_enrolment on replies (enrolment_id);
      create index replies_text on replies (created_at) where sender <> '' or subject <> '' or full_text <> '';
    `);
  }

  override down(): void {
    this.addSql('drop table replies; drop function words_of');
  }
}
