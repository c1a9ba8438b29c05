import { Command, Flags } from '@oclif/core';
import { invalid } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { print, printAsIs, printJson } from './terminal.ts';
import { isUsageError, usageMessage } from './usage-error.ts';

/** The base of every command: `--debug`, and output as text or as one JSON document. It loads only what parsing and printing need. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    debug: Flags.boolean({ description: 'print the stack trace of an error', helpGroup: 'GLOBAL' }),
  };

  /** Leaves errors to main, which prints them on stderr with --json too: stdout holds one document or nothing. */
  protected override async catch(error: Error): Promise<never> {
    if (isUsageError(error)) throw invalid(usageMessage(error, this.id?.replaceAll(':', ' '), this.#flags()), { cause: error });
    throw error;
  }

  #flags(): string[] {
    const { flags, baseFlags, enableJsonFlag } = this.ctor;
    return [...Object.keys({ ...baseFlags, ...flags }), ...(enableJsonFlag ? ['json'] : []), 'help'];
  }

  /** Prints text of any number of lines; nothing with --json. */
  override log(text = ''): void {
    if (!this.jsonEnabled()) print(text);
  }

  /** Prints text that is copied, such as a DNS record or a script: no terminal breaks its lines. Nothing with --json. */
  protected logAsIs(text: string): void {
    if (!this.jsonEnabled()) printAsIs(text);
  }

  /** Prints one line; line breaks in text from strangers can't add another. */
  protected logLine(text: string): void {
    this.log(terminalLine(text));
  }

  override logJson(value: unknown): void {
    printJson(value);
  }
}
