import type { Hook } from '@oclif/core';
import { expect, it } from 'vitest';
import { unknownCommand } from '../../src/cli/unknown-command.ts';

/** The parts of oclif's configuration that the hook reads. */
const config = {
  commandIDs: ['account:list', 'account:show', 'history', 'history:show', 'key:create', 'key:list', 'status', 'stop'],
  topics: [{ name: 'account' }, { name: 'history' }, { name: 'key' }],
};
const context = { config } as ThisParameterType<Hook.CommandNotFound>;

it.each([
  ['acount:list', 'did you mean "outreach account list"?'],
  ['accounts:list:--json', 'did you mean "outreach account list"?'],
  ['account:lst:3', 'did you mean "outreach account list"?'],
  ['statsu', 'did you mean "outreach status"?'],
  ['acount', 'did you mean "outreach account"?'],
  ['campaign:stop:7', 'did you mean "outreach campaign pause"?'],
  ['campaign:share:7', 'did you mean "outreach share add campaign"?'],
  ['history:list', 'did you mean "outreach history"?'],
  ['key:show:3', 'did you mean "outreach key list"?'],
  ['account:info:3', 'did you mean "outreach account show"?'],
  ['key:nonsense', 'see: outreach key --help'],
  ['nonsense', 'see: outreach --help'],
])('%s: %s', async (id, hint) => {
  const failing = unknownCommand.call(context, { id, config, context } as unknown as Parameters<typeof unknownCommand>[0]);
  await expect(failing).rejects.toThrow(`"${id.replaceAll(':', ' ')}" is not a command; ${hint}`);
});
