import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { instantText } from '../../src/cli/instant.ts';
import { quantity } from '../../src/core/english.ts';
import { conflict } from '../../src/core/errors.ts';

export default class CampaignActivate extends ClientCommand {
  static override description = `Start sending, now or at a given time

Checks the campaign first, as campaign check does, and refuses to start it if something keeps emails from leaving.`;
  static override examples = ['<%= config.bin %> campaign activate 7', '<%= config.bin %> campaign activate 7 --at 2026-12-01T09:00:00Z'];
  static override args = { campaign: campaignArgument };
  static override flags = {
    at: Flags.string({ description: 'time of the start (default: now, or the planned start of a draft)', helpValue: 'TIME' }),
    force: Flags.boolean({ description: 'start even if something keeps emails from leaving' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignActivate);
    const startsAt = flags.at === undefined ? undefined : instantText(flags.at, '--at');
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { data: warnings } = await api.campaigns.warnings.query({ id });
    const blocking = warnings.filter(({ is_blocking }) => is_blocking);
    if (blocking.length > 0 && !flags.force) throw conflict(refusal(id, blocking));
    const campaign = await api.campaigns.activate.mutate({ id, starts_at: startsAt });
    const start = campaign.starts_at === null ? '' : ` and starts at ${campaign.starts_at} UTC`;
    this.logLine(`Campaign ${id} "${campaign.name}" is active${start}.`);
    for (const { message } of warnings) this.logLine(`Warning: ${message}`);
    this.next(`campaign explain ${id}`);
    return campaign;
  }
}

function refusal(id: number, [first, ...others]: readonly { message: string }[]): string {
  const more = others.length === 0 ? '' : ` (and ${quantity(others.length, 'more problem')})`;
  return `not activated: ${first?.message}${more}; see: outreach campaign check ${id}, or pass --force`;
}
