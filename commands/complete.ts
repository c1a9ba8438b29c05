import { setTimeout as after } from 'node:timers/promises';
import { candidatesFor } from '../src/cli/client/candidates.ts';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { namesOf } from '../src/cli/client/names.ts';
import type { TargetFlags } from '../src/cli/client/target.ts';
import { terminalLine } from '../src/core/terminal-text.ts';

/** Maximum wait for names after a Tab, on a busy server; without names, the shell still completes commands and flags. */
const TIMEOUT_MILLISECONDS = 5_000;

/** The scripts of `completion` run this command at every Tab: it prints one candidate a line, and never an error. */
export default class Complete extends ClientCommand {
  static override hidden = true;
  static override strict = false;
  static override description = 'Print what may follow on a command line';
  static override examples = ['<%= config.bin %> complete -- campaign show ""'];

  async run() {
    // The words are those of another command: parsing them here would refuse its flags.
    const typed = this.argv[0] === '--' ? this.argv.slice(1) : this.argv;
    const { words, names } = candidatesFor(this.config.commands, typed);
    const named = names === undefined ? [] : await Promise.race([this.#names(names, typed), after(TIMEOUT_MILLISECONDS, [])]);
    const current = typed.at(-1) ?? '';
    const found = [...words, ...named].filter((word) => word.startsWith(current));
    if (found.length > 0) this.log(found.map(terminalLine).join('\n'));
  }

  async #names(kind: Parameters<typeof namesOf>[1], typed: readonly string[]): Promise<string[]> {
    try {
      const api = await this.client(targetFlags(typed));
      return (await namesOf(api, kind)).map(({ name }) => name);
    } catch {
      return [];
    }
  }
}

/** The flags on the line that name a server or an installation. */
const targetFlags = (typed: readonly string[]): TargetFlags =>
  Object.fromEntries(
    ['data-dir', 'key', 'url', 'workspace'].flatMap((name) => {
      const index = typed.indexOf(`--${name}`);
      const value = index === -1 ? undefined : typed[index + 1];
      return value === undefined ? [] : [[name, value]];
    }),
  );
