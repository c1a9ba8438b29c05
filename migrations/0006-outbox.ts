/** Emails: the ledger of what was and is being sent, answers to replies, and copies for Sent folders. */
export const outbox = {
  up: /* sql */ `
    -- One row for each enrolment and step, for ever: it guarantees that nothing is sent twice. An answer belongs to a reply instead.
    -- Of the keys that the enrolment implies there are no constraints: see docs/decisions/one-foreign-key-for-an-email.md.
    create table outbox (
      id bigint generated always as identity primary key,
      workspace_id integer not null,
      campaign_id integer not null,
      enrolment_id integer not null references enrolments,
      contact_id integer not null,
      account_id integer not null,
      step_id integer,
      reply_id integer,
      step_order integer not null,
      variant text check (variant in ('A', 'B')),
      recipient text not null,
      -- The account whose mailbox it named for replies; null where it named none that we read.
      reply_account_id integer,
      -- Addresses that got a copy.
      copies text[],
      state text not null check (state in ('claimed', 'transmitting', 'accepted', 'retry', 'failed', 'uncertain', 'unknown')),
      attempt integer not null default 1,
      worker text,
      lease_until timestamptz,
      message_id text not null unique,
      provider_message_id text,
      subject text,
      -- What it was written from: a content of its step, and what was merged into it.
      content_key text,
      content_values jsonb,
      response text,
      -- The day that it counts on against its campaign's limits, and whether as a first email. Null where there are none.
      counts_on date,
      is_first boolean,
      claimed_at timestamptz not null,
      transmitting_at timestamptz,
      accepted_at timestamptz,
      closed_at timestamptz,
      -- Its delivery is unknown and the sequence went on: a later proof records it without moving the sequence again.
      continued_at timestamptz,
      unique (enrolment_id, step_id),
      constraint outbox_step_or_reply check ((step_id is null) <> (reply_id is null))
    )
    -- A permit changes a row in place (a heap-only tuple, HOT), which needs room in its page, and no index that contains what it
    -- changes: so the indexes of open emails go by the time when an email was closed, not by its state and lease.
    with (fillfactor = 80);
    create index outbox_open on outbox (account_id) where closed_at is null;
    create index outbox_campaign_open on outbox (campaign_id) where closed_at is null;
    create index outbox_answers on outbox (reply_id) where reply_id is not null;
    create index outbox_limited on outbox (campaign_id, counts_on) where counts_on is not null;
    -- Which email is this message about, and did a campaign email this address? By the mailbox, and by the id that the provider gave the
    -- email.
    create index outbox_recipient on outbox (workspace_id, mailbox_key(recipient));
    create index outbox_provider_message_id on outbox (provider_message_id) where provider_message_id is not null;

    -- Answers to replies. Until a person approves it, an answer is a draft, and no email of the outbox.
    create table answers (
      id integer generated always as identity primary key,
      outbox_id bigint unique references outbox,
      reply_id integer not null,
      subject text not null,
      body_html text not null,
      -- Who gets a copy, for everybody to see.
      cc text[] not null default '{}',
      -- Objects with file_id, name, size (in bytes) and sha256, in the order in which they were attached.
      attachments jsonb not null default '[]',
      -- The signature that went below it; null until it is sent, and without one.
      signature_html text,
      -- Sent although the address is suppressed.
      despite_suppression boolean not null default false,
      -- Of a draft: null if it is to be sent as soon as it is approved.
      due_at timestamptz,
      created_by integer references users,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint answers_due check (outbox_id is null or due_at is not null)
    );
    create index answers_drafts on answers (reply_id) where outbox_id is null;
    -- Is a file in use?
    create index answers_attachments on answers using gin (attachments jsonb_path_ops) where attachments <> '[]';

    -- Copies of answers that are still to be put into the Sent folder, each as it was sent.
    create table sent_copies (
      outbox_id bigint primary key references outbox,
      message bytea not null,
      -- Null until the answer is known to be sent.
      due_at timestamptz,
      tries integer not null default 0,
      lease_until timestamptz,
      -- An APPEND was begun: a copy in the folder may be ours.
      begun_at timestamptz
    );
    create index sent_copies_due on sent_copies (due_at) where due_at is not null;
  `,
  down: 'drop table sent_copies, answers, outbox',
};
