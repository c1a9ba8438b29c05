import { setTimeout as pause } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { seedsOf } from '../../src/cli/client/placement-seeds.ts';
import { printTable } from '../../src/cli/print-table.ts';
import { MINUTE, SECOND } from '../../src/core/clock.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';

type PlacementTest = Awaited<ReturnType<Api['accountPlacements']['start']['mutate']>>;

/** Time between two searches of the mailboxes. */
const PAUSE = 5 * SECOND;

export default class AccountPlacement extends ClientCommand {
  static override description = `Test in which folder the emails of an account arrive

Sends a step of one of its campaigns, exactly as it would leave, to mailboxes of other accounts (--to) or to seeds (--seed), and looks for it there: in the inbox, Gmail's \
Promotions tab, the spam folder, or elsewhere. Folders are only read; nothing is opened or moved. The emails count for the account's \
day, but not in statistics; their links count and unsubscribe nobody. An email that does not arrive within 15 minutes is missing. Without --to \
or --seed it shows the latest test. Exits with 1 if an email is not in an inbox.

A seed is a mailbox that is not an account here, named by its IMAP server with its address as the user. Its password is prompted for, or read from \
--seed-password-file, and is kept sealed until its email is found, 15 minutes at most.

To repeat a test each week, run: outreach account set ID --placement-weekly. That goes to connected mailboxes only, so connect a seed with \
--daily-limit 0 for it.`;
  static override examples = [
    '<%= config.bin %> account placement --from zoe@example.com --to yan@example.org,ada@example.net',
    '<%= config.bin %> account placement --from 3 --to 4 --campaign "Spring fair" --step 2',
    '<%= config.bin %> account placement --from 3 --seed imaps://ada%40example.org@imap.example.org',
    '<%= config.bin %> account placement --from 3',
  ];
  static override flags = {
    from: Flags.string({ required: true, description: 'id or address of the account that sends', helpValue: 'A' }),
    to: Flags.string({ description: 'ids or addresses of the accounts whose mailboxes get it, separated by commas', helpValue: 'B,C' }),
    seed: Flags.string({
      description: 'mailbox that is not an account here, by its IMAP server; may be repeated',
      helpValue: 'imap[s]://USER@HOST:PORT',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'seed-password-file': Flags.string({
      description: 'file with the password of each --seed, a line each in their order, or - for stdin',
      helpValue: 'FILE',
      dependsOn: ['seed'],
    }),
    campaign: Flags.string({ description: 'id or name of the campaign (default: the newest of the account)', helpValue: 'C' }),
    step: Flags.integer({ description: 'number of the step (default: the first email)', helpValue: 'N', min: 1 }),
    wait: Flags.integer({ description: 'how long to wait for the emails', helpValue: 'MIN', default: 5, min: 0, max: 15 }),
  };

  async run() {
    const { flags } = await this.parse(AccountPlacement);
    const api = await this.client(flags);
    const id = await idOf(api, 'account', flags.from);
    const isNew = flags.to !== undefined || flags.seed !== undefined;
    if (!isNew && (flags.campaign !== undefined || flags.step !== undefined))
      throw invalid('--to: name the accounts whose mailboxes get the email, or a mailbox with --seed');
    let sent: PlacementTest | undefined;
    if (isNew) {
      const to = await Promise.all((flags.to?.split(',') ?? []).map((word) => idOf(api, 'account', word.trim())));
      const campaign_id = flags.campaign === undefined ? undefined : await idOf(api, 'campaign', flags.campaign);
      const input = { id, to, campaign_id, step_order: flags.step };
      sent =
        flags.seed === undefined
          ? await api.accountPlacements.start.mutate(input)
          : await api.accountPlacements.startWithSeeds.mutate({ ...input, seeds: await seedsOf(flags.seed, flags['seed-password-file']) });
      this.logLine(`Sent "${sent.subject}" to ${quantity(sent.results.length, 'mailbox', 'mailboxes')}; looking for it …`);
    }
    const test = await settled(api, id, sent, flags.wait * MINUTE);
    if (test === undefined)
      throw invalid('--to: there was no test yet; name the accounts whose mailboxes get the email, or a mailbox with --seed');
    printTable(this, test.results, ['email', 'provider', 'place', 'folder', 'authentication', 'problem']);
    const astray = test.results.filter(({ place }) => place !== 'inbox' && place !== 'promotions');
    if (astray.length > 0) process.exitCode = 1;
    const waiting = astray.filter(({ place }) => place === 'waiting').length;
    if (waiting > 0)
      this.logLine(`${quantity(waiting, 'email')} did not arrive yet; look again with: outreach account placement --from ${id}`);
    return test;
  }
}

/** Returns the test that was sent, once all its emails are found or the time is over; without one, the latest test of the account. */
async function settled(api: Api, id: number, sent: PlacementTest | undefined, milliseconds: number): Promise<PlacementTest | undefined> {
  for (let left = sent === undefined ? 0 : milliseconds; ; left -= PAUSE) {
    const { data } = await api.accountPlacements.find.mutate({ id });
    // Another user may have started a test in the meantime.
    const test = sent === undefined ? data[0] : (data.find((each) => isSame(each, sent)) ?? sent);
    if (left <= 0 || test === undefined || test.results.every(({ place }) => place !== 'waiting')) return test;
    await pause(PAUSE);
  }
}

/** Each email of a test has a Message-ID of its own. */
const isSame = (one: PlacementTest, other: PlacementTest): boolean => one.results[0]?.message_id === other.results[0]?.message_id;
