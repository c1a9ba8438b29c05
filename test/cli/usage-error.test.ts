import { Args, Flags, Parser } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import Mcp from '../../commands/mcp.ts';
import { ACCOUNT_SETTINGS } from '../../src/accounts/settings/index.ts';
import { flagsOf } from '../../src/cli/option-flags.ts';
import { isUsageError, usageMessage } from '../../src/cli/usage-error.ts';
import { runCommand } from '../support/run-command.ts';

const flags = {
  ...flagsOf(ACCOUNT_SETTINGS),
  limit: Flags.integer({ min: 1, max: 100 }),
  name: Flags.string({ required: true }),
  resend: Flags.boolean({ exactlyOne: ['sent', 'resend'] }),
  role: Flags.option({ options: ['admin', 'manager', 'view_only'] as const })(),
  search: Flags.string({ exclusive: ['name'] }),
  sent: Flags.boolean({ exactlyOne: ['sent', 'resend'] }),
};
const args = { id: Args.string({ required: true, description: 'id of the account' }) };

/** Returns our message for the error that oclif's parser throws. An upgrade that changes the error's wording or shape fails here. */
async function refusalOf(argv: string[]): Promise<string> {
  const error: unknown = await Parser.parse(argv, { args, flags }).catch((thrown: unknown) => thrown);
  expect(isUsageError(error)).toBe(true);
  return usageMessage(error as Error, 'account set', Object.keys(flags));
}

const REST = ['--name', 'N', '--sent'];

describe('A usage error names the flag or argument and the help page to read', () => {
  it.each<[string, string[], string]>([
    ['a missing argument', REST, 'missing argument ID (id of the account)'],
    ['an extra argument', ['1', '2', ...REST], 'unexpected argument "2"'],
    ['an unknown flag', ['1', '--colour', ...REST], 'unknown flag --colour'],
    ['a misspelt flag', ['1', '--limmit', '5', ...REST], 'unknown flag --limmit (did you mean --limit?)'],
    [
      'an argument that is taken for a flag',
      ['1', '-replied:true', ...REST],
      'unknown flag -replied:true (put -- before an argument that begins with a minus)',
    ],
    ['unknown flags', ['1', '--colour', '--size', ...REST], 'unknown flags --colour, --size'],
    ['a missing flag', ['1', '--sent'], 'missing required flag --name'],
    ['a flag without its value', ['1', '--name'], '--name: needs a value'],
    ['a flag without one of its values', ['1', '--role'], '--role: needs a value: admin, manager or view_only'],
    ['a value that is not in the list', ['1', ...REST, '--role', 'owner'], '--role: must be admin, manager or view_only, not "owner"'],
    ['flags that exclude each other', ['1', '--name', 'Two words', '--sent', '--search', 'x y'], "--name and --search can't be combined"],
    ['text instead of a number', ['1', ...REST, '--limit', 'x'], '--limit: must be a whole number, not "x"'],
    ['a number below the minimum', ['1', ...REST, '--limit', '0'], '--limit: must be 1 or more'],
    ['a number above the maximum', ['1', ...REST, '--limit', '101'], '--limit: must be 100 or less'],
    ['a value that our own parser refuses', ['1', ...REST, '--ramp-start', 'x'], '--ramp-start: must be a whole number or none, not "x"'],
    ['flags that exclude each other', ['1', ...REST, '--resend'], "--resend and --sent can't be combined"],
    ['none of several flags', ['1', '--name', 'N'], 'either --resend or --sent is required'],
  ])('%s', async (_, argv, message) => {
    expect(await refusalOf(argv)).toBe(`${message}; see: outreach account set --help`);
  });
});

it('a flag is suggested only to a command that has it', async () => {
  const { status, stderr } = await runCommand(Mcp, ['--json']);
  expect({ status, stderr }).toEqual({ status: 2, stderr: 'outreach: unknown flag --json; see: outreach mcp --help\n' });
});
