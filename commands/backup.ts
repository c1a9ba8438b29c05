import { existsSync, statSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { interruptible } from '../src/cli/interrupt.ts';
import { Progress } from '../src/cli/progress.ts';
import { say, writeToStdout } from '../src/cli/terminal.ts';
import type { Config } from '../src/core/config.ts';
import { quantity } from '../src/core/english.ts';
import { conflict, invalid, messageOf } from '../src/core/errors.ts';
import type { BackupResult } from '../src/maintenance/backup.ts';
import { localText } from '../src/terminal/local-text.ts';

export default class Backup extends OutreachCommand {
  static override description = `Back up the whole database to one file

The backup is a consistent snapshot; daemons keep running. The secret (secret.key) is not in the file, so that a stolen backup cannot be \
used to log in to your accounts: keep a copy of it elsewhere, because a restore needs it. The file contains personal data and is readable \
by its owner only. An existing file is overwritten only with --force; - is stdout. --verify reads an existing backup instead, and says whether it is complete \
and unmodified; it needs the secret, but no database.`;
  static override examples = [
    '<%= config.bin %> backup outreach-2026-01-31.backup',
    '<%= config.bin %> backup --force /backups/outreach-latest.backup',
    '<%= config.bin %> backup --verify outreach-2026-01-31.backup',
    '<%= config.bin %> backup - | age -r RECIPIENT > outreach-2026-01-31.backup.age',
  ];
  static override flags = {
    force: Flags.boolean({ description: 'overwrite the file if it exists', exclusive: ['verify'] }),
    verify: Flags.boolean({ description: 'check an existing backup instead of writing one' }),
  };
  static override args = {
    file: Args.string({ required: true, description: 'file to write, or to verify; - writes to stdout' }),
  };

  async run() {
    const { args, flags } = await this.parse(Backup);
    if (flags.verify) return this.#verify(args.file, this.settings(flags));
    const isPiped = args.file === '-';
    if (isPiped && this.jsonEnabled()) throw invalid('--json needs a FILE: with - the backup is on stdout');
    if (isPiped && process.stdout.isTTY) throw invalid('a backup is not printed on a terminal; name a FILE, or pipe it into a program');
    const { backUp } = await import('../src/maintenance/backup.ts');
    const { recordBackup } = await import('../src/cli/installation-status.ts');
    const bar = new Progress();
    const progress = (table: string, share: number) => bar.show(share, table);
    const result = await this.withApp(flags, async (app) => {
      if (!flags.force) refuseToOverwrite(args.file);
      const written = await interruptible('no backup was written', (signal) =>
        backUp(app, args.file, { signal, progress, ...(isPiped && { write: (content) => writeToStdout(content, signal) }) }),
      );
      // A database that can't be written to needs a backup most: a failure to record it must not fail the backup.
      await recordBackup(app, await this.operator(app), written).catch((error: unknown) => {
        app.log.error({ reason: messageOf(error) }, 'the backup was written, but outreach status does not know of it');
      });
      return written;
    }).finally(() => bar.end());
    const tell = (line: string) => (isPiped ? say(line) : this.log(line));
    tell(`Wrote ${quantity(result.rows, 'row')} from ${quantity(result.tables, 'table')} to ${isPiped ? 'stdout' : result.file}.`);
    tell(`To restore it you need the secret ${result.key_id}, which is not in the file: keep a copy of it elsewhere.`);
    return result;
  }

  async #verify(file: string, config: Config): Promise<BackupResult> {
    const { fileSize } = await import('../src/files/input-file.ts');
    const { verifyBackup } = await import('../src/maintenance/verify-backup.ts');
    const { openSealer } = await import('../src/secrets/secret-file.ts');
    const size = fileSize(file);
    const bar = new Progress();
    const result = await verifyBackup(openSealer(config), file, (table, bytes) => bar.show(bytes / size, table)).finally(() => bar.end());
    this.log(
      `${file} is whole: ${quantity(result.rows, 'row')} from ${quantity(result.tables, 'table')}, as of ${localText(result.made_at, 'UTC')}.`,
    );
    return result;
  }
}

/** Throws `conflict` if the file exists. A device or a pipe can't be overwritten. */
function refuseToOverwrite(path: string): void {
  if (existsSync(path) && statSync(path).isFile())
    throw conflict(`${path} exists already; choose another name, or pass --force to overwrite it`);
}
