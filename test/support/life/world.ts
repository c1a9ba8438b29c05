import { type Caller, operator } from '../../../src/access/index.ts';
import { sealSmtpSecret } from '../../../src/accounts/secret.ts';
import type { App } from '../../../src/app.ts';
import { completeFinishedCampaigns, enrol, suppressAddress } from '../../../src/campaigns/index.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { OutreachError } from '../../../src/core/errors.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { type Queryable, raw, type Sql, sql } from '../../../src/db/statement.ts';
import { BatchRunner } from '../../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../../src/tracking/index.ts';
import { TEST_START } from '../database.ts';
import { insertAccount, insertCampaign, insertContact, insertRow } from '../rows.ts';
import { isOneMailbox, keyOf } from './addresses.ts';
import type { Treatment, Wire } from './wire.ts';

/** The initial state of a sequence. */
export interface Beginning {
  /** Kinds of the steps of the first campaign; the second has one email. */
  kinds: ('email' | 'call')[];
  waits: number[];
  replyTo: 'own' | 'other account' | 'elsewhere';
  stopsCompany: boolean;
  whenUnknown: 'wait' | 'continue';
  whenColleagueReplies: 'stop' | 'continue';
  /** The boss gets a copy of each email of the first campaign. */
  hasCopies: boolean;
  /** A later address of the first contact is suppressed. */
  isSuppressed: boolean;
}

export interface Ids {
  accounts: number[];
  campaigns: number[];
  steps: number[][];
  contacts: number[];
}

/** Subjects of the two campaigns. */
export const SUBJECTS = ['First campaign', 'Second campaign'] as const;

/** The address of the first contact after a correction. */
export const CORRECTED = ['ada.lovelace', 'acme'] as const;

let made = 0;

/**
 * A separate workspace on the real functions, inside one transaction that is rolled back at the end: sequences don't see each other's rows,
 * and thousands of them leave nothing behind. Two accounts, two campaigns, four contacts: two work for one company, one of them has two
 * contacts for one mailbox, and one has an international domain and no name.
 */
export class World {
  readonly app: App;
  readonly clock = new ManualClock(TEST_START);
  readonly domain = `w${++made}.example`;
  readonly batches: BatchRunner;
  caller: Caller = operator(0);
  ids: Ids = { accounts: [], campaigns: [], steps: [], contacts: [] };
  isMailboxRead = true;
  /** Outbox id of the email that a daemon was transmitting when it died. */
  dead: number | null = null;
  /** The server's treatment of the emails of the next batch. */
  treatment: (address: string) => Treatment = () => 'take';
  /** Addresses named to the server since the list was last cleared, and all emails that reached it. */
  named: string[] = [];
  readonly arrived: { to: string; messageId: string }[] = [];
  /** The Message-IDs of copies, by the Message-IDs of their emails. */
  readonly copies = new Map<string, string>();
  /** Message-IDs that a person had resent. */
  readonly resent = new Set<string>();

  newStep = 0;
  readonly #enrolments = new Map<string, number>();
  #texts = 0;

  constructor(app: App) {
    this.app = { ...app, clock: this.clock, random: seededRandom(7) };
    const ensurePolled = async (ids: readonly number[]) => (this.isMailboxRead ? [] : [...ids]);
    this.batches = new BatchRunner(this.app, { ensurePolled, decorate: decorateEmail, linkOf });
  }

  address = (name: string, company = 'acme'): string => `${name}@${company}-${this.domain}`;

  /** The recipient of the copies. */
  get boss(): string {
    return this.address('chef', 'partner');
  }

  async begin(wire: Wire, { kinds, waits, replyTo, hasCopies, isSuppressed, ...options }: Beginning): Promise<void> {
    const { app, domain } = this;
    const now = this.clock.now();
    const workspace = await insertRow(app, 'workspaces', { name: domain, created_at: now, updated_at: now });
    this.caller = operator(workspace);
    wire.plug(domain, {
      treatmentOf: (address) => {
        if (isOneMailbox(address, this.boss)) return 'take';
        if (!this.named.includes(keyOf(address))) this.named.push(keyOf(address));
        return this.treatment(address);
      },
      take: (email) => {
        if (!isOneMailbox(email.to, this.boss)) this.arrived.push(email);
        // A copy names the contact as its recipient, and immediately follows the email.
        else this.copies.set(this.arrived.findLast(({ to }) => keyOf(to) === keyOf(email.headerTo))?.messageId ?? '', email.messageId);
      },
    });
    for (const name of ['one', 'two']) this.ids.accounts.push(await this.#account(workspace, name, wire.port));
    const [account_id] = this.ids.accounts;
    const { stopsCompany: stop_company, whenUnknown: when_unknown, whenColleagueReplies: when_colleague_replies } = options;
    const own = { workspace_id: workspace, account_id, stop_company, when_unknown, when_colleague_replies };
    const reply_to = this.replyAddress(replyTo);
    const steps = kinds.map((kind, index) => ({ kind, subject: SUBJECTS[0], wait_days: waits[index] }));
    this.ids.campaigns.push(await insertCampaign(app, { ...own, reply_to, cc: hasCopies ? [this.boss] : [] }, steps));
    this.ids.campaigns.push(await insertCampaign(app, own, [{ subject: SUBJECTS[1] }]));
    for (const id of this.ids.campaigns) this.ids.steps.push(await this.#stepsOf(id));
    for (const { name, email } of this.people()) this.ids.contacts.push(await insertContact(app, { workspace_id: workspace, name, email }));
    const [first, second] = this.ids.campaigns as [number, number];
    await enrol(app, this.caller, first, { contact_ids: this.ids.contacts.slice(0, 2) });
    await enrol(app, this.caller, second, { contact_ids: this.ids.contacts.slice(0, 1) });
    if (isSuppressed) await suppressAddress(app, this.caller, { email: this.address(...CORRECTED), reason: null });
  }

  replyAddress = (which: Beginning['replyTo']) =>
    ({ own: null, 'other account': `two@${this.domain}`, elsewhere: 'boss@elsewhere.example' })[which];

  /** The contacts in their initial state. */
  people = () => [
    { name: 'Ada Lovelace', email: this.address('ada') },
    { name: 'Bob Babbage', email: this.address('bob') },
    { name: '', email: this.address('cy', 'öther') },
    { name: 'Bob Babbage', email: this.address('Bob+list') },
  ];

  async #account(workspace: number, name: string, port: number): Promise<number> {
    const server = { host: '127.0.0.1', port, secure: false, tls: 'off', user: null } as const;
    const id = await insertAccount(this.app, {
      ...{ workspace_id: workspace, email: `${name}@${this.domain}`, smtp: JSON.stringify(server), imap: '{}', timezone: 'UTC' },
      ...{ send_batch_min: 100, send_batch_max: 100, daily_send_limit: 1_000 },
    });
    const secret = sealSmtpSecret(this.app, { id, provider: 'smtp', server }, {});
    await this.app.db.query(sql`update accounts set smtp_secret = ${secret} where id = ${id}`);
    return id;
  }

  async #stepsOf(campaignId: number): Promise<number[]> {
    const rows = await this.app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaignId} order by step_order`);
    return rows.map(({ id }) => id);
  }

  /** Returns the id of a new enrolment, from the last reading. */
  enrolmentId = (campaignId: number, contactId: number): number => this.#enrolments.get(`${campaignId} ${contactId}`) ?? 0;

  nextText = (): number => ++this.#texts;

  /** Runs a change. Returns false if the program refuses it. */
  async attempt(change: () => Promise<unknown>): Promise<boolean> {
    try {
      await change();
      return true;
    } catch (error) {
      if (error instanceof OutreachError && error.code !== 'internal_error') return false;
      throw error;
    }
  }

  /** Does what the scheduler does continuously. */
  async tick(): Promise<void> {
    await completeFinishedCampaigns(this.app);
  }

  async read(): Promise<Standing> {
    const standing = await readStanding(this.app.db, this.caller.workspaceId);
    for (const [id, { campaign, contact }] of Object.entries(standing.enrolments))
      this.#enrolments.set(`${campaign} ${contact}`, Number(id));
    return standing;
  }
}

/** Everything that a sequence may change, by database ids. Instants are milliseconds. */
export interface Standing {
  accounts: Record<number, { status: string; reason: string | null }>;
  campaigns: Record<number, { status: string; is_archived: boolean }>;
  enrolments: Record<
    number,
    {
      campaign: number;
      contact: number;
      status: string;
      step: number;
      due: number | null;
      held: number | null;
      events: Record<string, number>;
      emails: Record<number, StoredEmail>;
    }
  >;
  suppressions: Record<string, boolean>;
}

interface StoredEmail {
  id: number;
  state: string;
  message_id: string;
}

/** Condition: row `alias` agrees with the columns of its enrolment `e`, which no foreign key checks. A row that differs is left out. */
const isOf = (alias: string): Sql =>
  raw(`(${alias}.workspace_id, ${alias}.campaign_id, ${alias}.contact_id) = (e.workspace_id, e.campaign_id, e.contact_id)`);

async function readStanding(db: Queryable, workspace: number): Promise<Standing> {
  const [row] = await db.query<Standing>(sql`
    select (select json_object_agg(a.id, json_build_object('status', a.status, 'reason', a.pause_reason))
        from accounts a where a.workspace_id = ${workspace}) as accounts,
      (select json_object_agg(c.id, json_build_object('status', c.status, 'is_archived', c.is_archived))
        from campaigns c where c.workspace_id = ${workspace}) as campaigns,
      (select json_object_agg(e.id, json_build_object('campaign', e.campaign_id, 'contact', e.contact_id, 'status', e.status, 'step', e.current_step,
          'due', (extract(epoch from e.due_at) * 1000)::float8, 'held', (extract(epoch from e.held_until) * 1000)::float8,
          'events', (select coalesce(json_object_agg(v.type, v.count), '{}') from (
            select type, count(*)::int as count from events v where v.enrolment_id = e.id and v.in_feed and ${isOf('v')} group by type) v),
          'emails', (select coalesce(json_object_agg(o.step_id, json_build_object('id', o.id, 'state', o.state, 'message_id', o.message_id)), '{}')
            from outbox o join steps s on s.id = o.step_id join accounts a on a.id = o.account_id and a.workspace_id = o.workspace_id
            where o.enrolment_id = e.id and ${isOf('o')})))
        from enrolments e where e.workspace_id = ${workspace}) as enrolments,
      (select coalesce(json_object_agg(lower(s.email), s.workspace_only), '{}')
        from suppressions s where s.workspace_id = ${workspace} and s.removed_at is null) as suppressions`);
  return row as Standing;
}
