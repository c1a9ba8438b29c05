import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { MEMBER_COLUMNS, rotationArgument } from '../../src/cli/client/rotation.ts';
import { printTable } from '../../src/cli/print-table.ts';

export default class RotationRemove extends ClientCommand {
  static override description = `Remove accounts from a rotation group

Contacts that an account has emailed finish the sequence there; the others go to the remaining accounts.`;
  static override examples = [
    '<%= config.bin %> rotation remove 7 dora@example.com',
    '<%= config.bin %> rotation remove "Spring fair" 6 7',
  ];
  static override args = {
    rotation: rotationArgument,
    account: Args.string({ required: true, multiple: true, description: 'id or email address of an account; several may be given' }),
  };

  async run() {
    const { args, flags } = await this.parse(RotationRemove);
    const api = await this.client(flags);
    const id = await idOf(api, 'rotation group', args.rotation);
    const account_ids: number[] = [];
    for (const account of args.account) account_ids.push(await idOf(api, 'account', account));
    const rotation = await api.rotations.removeAccounts.mutate({ id, account_ids });
    printTable(this, rotation.members, MEMBER_COLUMNS);
    return rotation;
  }
}
