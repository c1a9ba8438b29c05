import { withTarget } from '../src/cli/client/hint.ts';
import { OutreachCommand } from '../src/cli/command.ts';
import { runningDaemon } from '../src/cli/pid-file.ts';
import { printTable } from '../src/cli/print-table.ts';
import { printDrawn } from '../src/cli/terminal.ts';
import { versionOf } from '../src/cli/version.ts';
import { MINUTE, SECOND, systemClock } from '../src/core/clock.ts';
import { grouped, quantity } from '../src/core/english.ts';
import { formatTimestamp, parseTimestamp } from '../src/core/timestamp-text.ts';
import { type Fact, factsText } from '../src/terminal/facts.ts';

export default class Status extends OutreachCommand {
  static override description = `Show whether the daemon is running, its queues, the last backup, and jobs that are late

--json has every job, and when it last ran.`;
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run() {
    const { flags } = await this.parse(Status);
    const daemon = runningDaemon(this.settings(flags).dataDir);
    const { lastBackup, readStatus } = await import('../src/cli/installation-status.ts');
    const status = await this.withApp(flags, async (app) => ({
      version: versionOf(this.config.root),
      running: daemon !== undefined,
      pid: daemon?.pid ?? null,
      url: daemon?.url ?? null,
      started_at: daemon?.started_at ?? null,
      uptime_seconds: daemon === undefined ? null : secondsSince(daemon.started_at, app.clock.now()),
      ...(await readStatus(app)),
      last_backup_at: await lastBackup(app.db),
    }));
    const { jobs, daemons, ...facts } = status;
    const late = status.running ? jobs.filter((job) => isLate(job, systemClock.now())) : [];
    const shown = factsText([...factsOf(facts), ...(status.running ? [jobsFact(jobs.length, late.length)] : [])]);
    if (!this.jsonEnabled()) printDrawn(withTarget(shown, flags));
    this.log();
    if (daemons.length > 0) printTable(this, daemons, ['host', 'pid', 'version', 'roles', 'started_at', 'seen_at']);
    if (late.length > 0) this.log();
    if (late.length > 0) printTable(this, late, ['job', 'every_seconds', 'last_run_at']);
    return status;
  }
}

const secondsSince = (start: string, now: Date): number => Math.max(0, Math.floor((now.getTime() - Date.parse(start)) / SECOND));

/** A job is late if its last run is more than three intervals and a minute ago; a run itself may take that long. */
const isLate = ({ every_seconds: every, last_run_at: at }: Installation['jobs'][number], now: Date): boolean =>
  at !== null && now.getTime() - parseTimestamp(at).getTime() > 3 * every * SECOND + MINUTE;

const jobsFact = (all: number, late: number): Fact => [
  'Jobs',
  late === 0 ? `${all}, none of them late` : `${late} of ${all} are late, see below`,
];

type Installation = Awaited<ReturnType<typeof import('../src/monitoring/index.ts').readStatus>>;
type Facts = Omit<Installation, 'jobs' | 'daemons'> & {
  version: string;
  running: boolean;
  pid: number | null;
  url: string | null;
} & Record<'started_at' | 'last_backup_at', string | null>;

/** Describes the installation: what runs, what was sent, and what needs a person. */
function factsOf(facts: Facts): Fact[] {
  const { running, url, pid, started_at: started } = facts;
  const some = (count: number, one: string, many: string) => (count === 0 ? null : quantity(count, one, many));
  const since = `since ${formatTimestamp(new Date(started ?? 0))} UTC (process ${pid})`;
  const here = `running ${url === null ? 'without the API' : `at ${url}`} ${since}`;
  return [
    ['Outreach', `version ${facts.version}, ${running ? here : 'not running on this machine; start it with: outreach start'}`],
    ['Database', facts.database],
    ['Accounts', facts.accounts === 0 ? 'none; connect one with: outreach account connect ADDRESS' : String(facts.accounts)],
    [
      'Paused',
      some(
        facts.accounts_paused,
        'account is paused or disconnected; see: outreach account list',
        'accounts are paused or disconnected; see: outreach account list',
      ),
    ],
    ['Waiting', some(facts.accounts_waiting, 'account waits for its mail server', 'accounts wait for their mail servers')],
    [
      'Mailboxes',
      some(facts.mailboxes_unread, "mailbox can't be read; see: outreach doctor", "mailboxes can't be read; see: outreach doctor"),
    ],
    ['Messages', some(facts.messages_missing, 'message is asked for again', 'messages are asked for again')],
    ['Emails today', `${grouped(facts.emails_today)} of ${grouped(facts.emails_today_limit)}`],
    ['In flight', some(facts.emails_in_flight, 'email', 'emails')],
    [
      'Uncertain',
      some(facts.emails_uncertain, 'email; see: outreach outbox list --uncertain', 'emails; see: outreach outbox list --uncertain'),
    ],
    ['Campaigns', `${facts.campaigns_active} active`],
    ['Calls', some(facts.calls_due, 'call is due; see: outreach call list', 'calls are due; see: outreach call list')],
    ['Held', some(facts.contacts_held, "contact whose next email can't be written", "contacts whose next email can't be written")],
    ['Last backup', facts.last_backup_at === null ? 'never; make one with: outreach backup FILE' : `${facts.last_backup_at} UTC`],
  ];
}
