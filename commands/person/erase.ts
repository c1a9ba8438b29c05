import { createInterface } from 'node:readline/promises';
import { Args, Flags } from '@oclif/core';
import { OutreachCommand } from '../../src/cli/command.ts';
import { Interrupted, interruptible } from '../../src/cli/interrupt.ts';
import { conflict, invalid } from '../../src/core/errors.ts';

export default class PersonErase extends OutreachCommand {
  static override description = `erase one person from all workspaces, for good

For a request of erasure (GDPR Art. 17). What tells who they are is removed; numbers of statistics stay. A keyed hash of
the address is kept, so that they are never written to again. Backups made before still hold the person.`;
  static override examples = [
    '<%= config.bin %> person erase ada@example.com',
    '<%= config.bin %> person erase ada@example.com --yes --json',
  ];
  static override args = {
    email: Args.string({ required: true, description: 'address of the person' }),
  };
  static override flags = {
    yes: Flags.boolean({ description: 'do not ask' }),
  };

  async run() {
    const { args, flags } = await this.parse(PersonErase);
    if (!flags.yes) await confirm(args.email);
    const { erasePerson } = await import('../../src/maintenance/erase-person.ts');
    const erasure = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, undefined);
      return interruptible('nothing more is sent to this person, but they are not erased yet; run it again', (signal) =>
        erasePerson(app, caller, args.email, signal),
      );
    });
    const counts = Object.entries(erasure.erased).map(([table, rows]) => `${table}: ${rows}`);
    this.log(`Erased: ${counts.join(', ')}.`);
    if (erasure.kept.length > 0) this.log(`The address is also one of yours and stays there: ${erasure.kept.join(', ')}.`);
    return erasure;
  }
}

async function confirm(email: string): Promise<void> {
  if (!process.stdin.isTTY) throw invalid('nobody can be asked here; add --yes to erase without asking');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal
      .question(`Erase everything about ${email}, for good? Type the address to confirm: `)
      .catch((error: Error) => {
        // The cursor stands behind what was typed.
        process.stderr.write('\n');
        throw error.name === 'AbortError' ? new Interrupted('nothing was erased') : error;
      });
    if (answer.trim().toLowerCase() !== email.trim().toLowerCase()) throw conflict('not confirmed; nothing was erased');
  } finally {
    terminal.close();
  }
}
