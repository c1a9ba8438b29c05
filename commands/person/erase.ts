import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { unanswered } from '../../src/cli/confirm.ts';
import { Interrupted, interruptible } from '../../src/cli/interrupt.ts';
import { askLine, say } from '../../src/cli/terminal.ts';
import { isSameAddress } from '../../src/core/email-address.ts';
import { conflict } from '../../src/core/errors.ts';

export default class PersonErase extends ClientCommand {
  static override description = `Erase a person from all workspaces permanently

Answers a request for erasure (GDPR Art. 17). Personal data is removed; statistics keep their numbers. A keyed hash of the address is kept \
so that the person is never emailed again. Existing backups still contain the person.`;
  static override examples = [
    '<%= config.bin %> person erase ada@example.com',
    '<%= config.bin %> person erase ada@example.com --yes --json',
  ];
  static override args = {
    email: Args.string({ required: true, description: 'email address of the person' }),
  };
  static override flags = {
    yes: Flags.boolean({ char: 'y', description: 'answer yes to every question' }),
  };

  async run() {
    const { args, flags } = await this.parse(PersonErase);
    if (!flags.yes) await confirm(args.email);
    const api = await this.client(flags);
    const erasure = await interruptible('this person will not be emailed again, but is not erased yet; run the command again', (signal) =>
      api.person.erase.mutate({ email: args.email }, { signal }).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      }),
    );
    const counts = Object.entries(erasure.erased).map(([table, rows]) => `${table}: ${rows}`);
    this.log(`Erased: ${counts.join(', ')}.`);
    if (erasure.kept.length > 0) this.log(`The address also belongs to you and was kept there: ${erasure.kept.join(', ')}.`);
    return erasure;
  }
}

async function confirm(email: string): Promise<void> {
  const [question, otherwise] = [`Erase everything about ${email} permanently?`, 'nothing was erased'];
  if (!process.stdin.isTTY) throw unanswered(question, otherwise);
  const answer = await askLine(`${question} Type the address to confirm:`).catch((error: Error) => {
    // The cursor is still on the line of the prompt.
    say('');
    throw error.name === 'AbortError' ? new Interrupted(otherwise) : error;
  });
  if (!isSameAddress(answer, email)) throw conflict(`not confirmed; ${otherwise}`);
}
