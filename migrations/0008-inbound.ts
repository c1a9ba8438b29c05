/** Mailboxes and their messages, replies, tracking hits, and the daily summary of replies. */
export const inbound = {
  up: /* sql */ `
    -- How far a folder has been read.
    create table mailbox_cursors (
      account_id integer not null references accounts,
      folder text not null,
      uid_validity bigint not null,
      -- The highest UID that was read, and UIDNEXT as the server told it then; null where it tells none.
      last_uid bigint not null,
      uid_next bigint,
      polled_at timestamptz not null,
      primary key (account_id, folder)
    );

    -- Counts the tries at a large message, so that one that ends the daemon is not read for ever, and at one that the server does not
    -- give: that one has a reason, in the server's words, and the time of the next try.
    create table reading_tries (
      account_id integer not null references accounts,
      folder text not null,
      uid_validity bigint not null,
      uid bigint not null,
      tries smallint not null default 1,
      reason text,
      retry_at timestamptz,
      primary key (account_id, folder, uid_validity, uid)
    );

    -- Every message that was read, once, and what was made of it.
    create table inbound_messages (
      id bigint generated always as identity primary key,
      workspace_id integer not null references workspaces,
      account_id integer not null references accounts,
      folder text not null,
      uid_validity bigint not null,
      uid bigint not null,
      message_id text,
      -- Of a message about an email of ours: tells apart messages to which a program gives one Message-ID.
      identity text,
      sender text,
      subject text,
      snippet text,
      verdict text not null,
      reasons jsonb not null default '[]',
      -- What it proved to be, who wrote it, why they are taken for that, and which of the email's copies it is about.
      proof text,
      writer text,
      because text,
      copy smallint,
      -- What it is about. An email whose delivery is unknown can be settled by it.
      enrolment_id integer references enrolments,
      outbox_id bigint,
      received_at timestamptz,
      created_at timestamptz not null,
      unique (account_id, folder, uid_validity, uid)
    );
    create index inbound_messages_message_id on inbound_messages (workspace_id, message_id);
    create index inbound_messages_enrolment on inbound_messages (enrolment_id) where enrolment_id is not null;
    create index inbound_messages_email on inbound_messages (outbox_id) where outbox_id is not null;
    create index inbound_messages_complaints on inbound_messages (created_at) where verdict = 'feedback_report';
    create index inbound_messages_unreadable on inbound_messages (account_id) where verdict = 'unreadable';
    -- What retention deletes and clears. Both shrink again as it does.
    create index inbound_messages_unrelated on inbound_messages (created_at) where enrolment_id is null;
    create index inbound_messages_text on inbound_messages (created_at)
      where enrolment_id is not null and (sender is not null or subject is not null or snippet is not null);

    -- The words of a text, for a search that knows no language: split at spaces and punctuation, in lower case. Ideographs and Hangul,
    -- which are written without spaces, are words each.
    create function words_of(text) returns tsvector language sql immutable parallel safe return (
      select array_to_tsvector(coalesce(array_agg(distinct left(word, 60)), '{}'))
      from regexp_split_to_table(
        regexp_replace(lower($1), '([\\u2e80-\\u2fdf\\u3040-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff])', ' \\1 ', 'g'),
        '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f\\uff00-\\uff0f]+') word
      where word <> '');

    -- The inbound messages that people and autoresponders wrote about an email of ours, and what people noted on them.
    create table replies (
      id integer generated always as identity primary key,
      workspace_id integer not null references workspaces,
      campaign_id integer not null references campaigns,
      contact_id integer not null references contacts,
      enrolment_id integer not null references enrolments,
      -- The email that was answered, with its account and step.
      outbox_id bigint not null references outbox,
      account_id integer not null references accounts,
      step_order integer not null,
      inbound_id bigint not null unique references inbound_messages,
      -- The account in whose mailbox it arrived.
      mailbox_id integer not null references accounts,
      -- Its own Message-ID, which its answer names.
      message_id text,
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
      -- It may ask for no more email: its contact is held in all campaigns until a person decides.
      may_ask_to_be_removed boolean not null default false,
      label text,
      is_read boolean not null default false,
      -- When it comes back to the top, unread, for whoever put it off; then it has returned, until somebody does something about it.
      later_until timestamptz,
      has_returned boolean not null default false,
      assigned_to integer references users,
      received_at timestamptz not null,
      answered_at timestamptz,
      created_at timestamptz not null,
      words tsvector generated always as (words_of(sender || ' ' || sender_name || ' ' || subject || ' ' || own_text)) stored
    );
    -- Pages and their totals. They hold every column by which replies are filtered, so that both are index-only scans. The second has the
    -- replies that somebody looks for by a mark.
    create index replies_page on replies (workspace_id, received_at desc, id desc) include (kind, campaign_id, contact_id, account_id);
    create index replies_marked on replies (workspace_id, received_at desc, id desc)
      include (kind, campaign_id, contact_id, account_id, is_read, label, assigned_to)
      where not is_read or label is not null or assigned_to is not null;
    create index replies_campaign on replies (campaign_id, received_at desc, id desc) include (workspace_id, kind, contact_id);
    create index replies_contact on replies (contact_id, received_at desc, id desc);
    -- What a person has to decide on, or has put off until now, with which lists begin, and what is put off still. They are few.
    create index replies_first on replies (workspace_id, received_at desc, id desc)
      where may_ask_to_be_removed or has_returned or later_until is not null;
    create index replies_words on replies using gin (words);
    create index replies_enrolment on replies (enrolment_id);

    alter table enrolments add foreign key (ended_by) references replies, add foreign key (held_by) references replies;
    alter table outbox add foreign key (reply_id) references replies;
    alter table answers add foreign key (reply_id) references replies;

    -- Opens and clicks, of people and of machines; those of people also become events.
    create table tracking_hits (
      id bigint generated always as identity primary key,
      workspace_id integer not null references workspaces,
      outbox_id bigint not null references outbox,
      kind text not null check (kind in ('opened', 'clicked')),
      url text,
      -- Why this was a machine; null for a person.
      machine text,
      ip inet,
      user_agent text,
      at timestamptz not null
    );
    create index tracking_hits_mail on tracking_hits (outbox_id, at);

    -- Who gets a summary by email each day, or a report each week, and when the next is due.
    create table scheduled_emails (
      id integer generated always as identity primary key,
      workspace_id integer not null,
      user_id integer not null,
      kind text not null check (kind in ('daily_summary', 'weekly_report')),
      -- What a weekly report is about; null for all campaigns.
      campaign_id integer references campaigns,
      -- Minutes after midnight, in the time zone.
      at_minute smallint not null check (at_minute between 0 and 1439),
      timezone text not null,
      next_at timestamptz not null,
      -- When the latest was claimed by the daemon that sends it, or sent it.
      claimed_at timestamptz,
      -- Of a summary: later replies are new in the next one.
      after_reply_id bigint not null default 0,
      -- Attempts at the present one that certainly failed.
      tries smallint not null default 0,
      unique nulls not distinct (workspace_id, user_id, kind, campaign_id),
      foreign key (workspace_id, user_id) references memberships on delete cascade
    );
    create index scheduled_emails_next on scheduled_emails (next_at);
  `,
  down: /* sql */ `
    alter table enrolments drop constraint enrolments_ended_by_fkey, drop constraint enrolments_held_by_fkey;
    alter table outbox drop constraint outbox_reply_id_fkey;
    alter table answers drop constraint answers_reply_id_fkey;
    drop table scheduled_emails, tracking_hits, replies, inbound_messages, reading_tries, mailbox_cursors;
    drop function words_of;
  `,
};
