import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { OutreachError } from '../src/core/errors.ts';

export default class Demo extends OutreachCommand {
  static override description = `a whole campaign in two minutes, on this machine alone

Starts a throw-away installation with mail servers of its own, writes three mails each to 200 invented people, and lets
them open, click, reply, bounce, be out of office and unsubscribe while days pass in seconds. On a terminal the
dashboard shows it; press q to end it early. Nothing leaves the machine and nothing stays on it.`;
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --seconds 60 --plain'];
  static override flags = {
    contacts: Flags.integer({ description: 'how many people to invent', default: 200, min: 10, max: 5_000, helpValue: 'N' }),
    plain: Flags.boolean({ description: 'print progress instead of showing the dashboard' }),
    seconds: Flags.integer({
      description: 'how long the nine days of the campaign shall take',
      default: 110,
      min: 20,
      max: 3_600,
      helpValue: 'N',
    }),
  };

  async run() {
    const { flags } = await this.parse(Demo);
    const isPlain = flags.plain || this.jsonEnabled() || !process.stdin.isTTY || !process.stdout.isTTY;
    const [{ runDemo }, { showDashboard }] = await Promise.all([import('../src/demo/run.ts'), import('../src/dashboard/index.tsx')]);
    const ended = new AbortController();
    const end = () => ended.abort();
    // A terminal that is closed says so twice; the second time must not cut the cleaning up short.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    const over = new AbortController();
    let screen: Promise<void> | undefined;
    process.stderr.write('Starting PostgreSQL, a mail server, a mailbox and the daemon …\n');
    try {
      const report = await runDemo({
        ...flags,
        signal: ended.signal,
        onRunning: (address) => {
          if (!isPlain) screen = showDashboard(address, over.signal).then(end, end);
        },
        onProgress: ({ now, stats }) => {
          if (isPlain) process.stderr.write(`${now}  ${PROGRESS.map((name) => `${name} ${stats[name]}`).join('  ')}\n`);
        },
      }).finally(async () => {
        over.abort();
        await screen;
      });
      this.log(summary(report));
      if (report.isComplete && !report.addsUp)
        throw new OutreachError('internal_error', 'what people did and what was counted differ; please report this with the lines above');
      return report;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end);
    }
  }
}

const PROGRESS = ['sent', 'opened', 'clicked', 'replied', 'bounced'] as const;

function summary({ lines, isComplete }: { lines: { what: string; did: number; counted: number }[]; isComplete: boolean }): string {
  const width = Math.max(...lines.map(({ what }) => what.length));
  const rows = lines.map(({ what, did, counted }) => `  ${what.padEnd(width)}  ${String(did).padStart(6)}  ${String(counted).padStart(8)}`);
  return [
    isComplete ? 'The campaign is completed. What happened:' : 'The demo was ended early. What had happened:',
    ...(isComplete ? [] : ['(Counted comes later than done: mailboxes are read once an hour of the demo.)']),
    '',
    `  ${''.padEnd(width)}  ${'done'.padStart(6)}  ${'counted'.padStart(8)}`,
    ...rows,
    '',
    'Where to go next:',
    '  docs/tutorial.md                a first real campaign in ten minutes',
    '  docs/README.md                  every page of the documentation',
    '  npm start                       your own installation',
    '  npm run outreach -- --help      every command',
  ].join('\n');
}
