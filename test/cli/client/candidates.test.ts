import { describe, expect, it } from 'vitest';
import { type Completable, candidatesFor } from '../../../src/cli/client/candidates.ts';

const option = { type: 'option' };
const FLAGS = { account: option, yes: { type: 'boolean' }, status: { ...option, options: ['active', 'paused'] } };
const COMMANDS: Completable[] = [
  { id: 'campaign:list', args: {}, flags: FLAGS },
  { id: 'campaign:show', args: { campaign: {} }, flags: FLAGS },
  { id: 'campaign:contacts', args: { campaign: {} }, flags: FLAGS },
  { id: 'campaign:contacts:stop', args: { campaign: {}, contact: {} }, flags: FLAGS },
  { id: 'account:pause', args: { account: { multiple: true } }, flags: {} },
  { id: 'whoami', args: {}, flags: {} },
  { id: 'completion', args: { shell: { options: ['bash', 'zsh'] } }, flags: {} },
  { id: 'complete', hidden: true, args: {}, flags: {} },
];
const of = (line: string) => candidatesFor(COMMANDS, line.split(' '));

describe('what may follow on a command line', () => {
  it.each([
    ['', ['account', 'campaign', 'completion', 'whoami']],
    ['campaign ', ['contacts', 'list', 'show']],
    ['campaign li', ['contacts', 'list', 'show']],
    ['campaign list --', ['--account', '--status', '--yes']],
    ['campaign list --status ', ['active', 'paused']],
    ['completion ', ['bash', 'zsh']],
    ['nonsense ', []],
    ['whoami ', []],
  ])('%j: %j', (line, words) => expect(of(line)).toEqual({ words }));

  it('the name of a record, where an argument or a flag takes one', () => {
    expect(of('campaign show ')).toEqual({ words: [], names: 'campaign' });
    expect(of('campaign show --yes Spr')).toEqual({ words: [], names: 'campaign' });
    expect(of('campaign show --account zoe@')).toEqual({ words: [], names: 'account' });
    expect(of('campaign show --account zoe@example.com ')).toEqual({ words: [], names: 'campaign' });
    expect(of('campaign contacts ')).toEqual({ words: ['stop'], names: 'campaign' });
    expect(of('campaign contacts stop 7 ')).toEqual({ words: [] });
    expect(of('campaign show 7 ')).toEqual({ words: [] });
    expect(of('account pause zoe@example.com ')).toEqual({ words: [], names: 'account' });
  });
});
