import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { describeCampaign, readCampaign } from '../../src/cli/describe/campaign.ts';

export default class CampaignShow extends ClientCommand {
  static override description = `Show a campaign with its state, settings and totals

Shows its state and the reason for it, accounts, sending hours, settings that differ from the default, steps and totals; a rotation group as one. \
--json prints the record.`;
  static override examples = ['<%= config.bin %> campaign show 7', '<%= config.bin %> campaign show "Spring fair" --json'];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignShow);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const read = readCampaign(api, id);
    const [[campaign, group], text] = await Promise.all([read, this.jsonEnabled() ? undefined : describeCampaign(api, id, read)]);
    if (text === undefined) return { ...campaign, rotation: group === undefined ? null : await api.rotations.get.query({ id: group.id }) };
    this.draw(text);
    return this.next(nextOf(campaign));
  }
}

/** The next steps for a person with a campaign. */
function nextOf({
  id,
  status,
  step_count,
  contact_count,
}: {
  id: number;
  status: string;
  step_count: number;
  contact_count: number;
}): string {
  if (step_count === 0) return `campaign step add ${id} --subject "…" --text-file FILE`;
  if (contact_count === 0) return `campaign enrol ${id} --list LIST`;
  if (status === 'draft') return `campaign check ${id}`;
  if (status === 'paused') return `campaign resume ${id}`;
  return `campaign report ${id}`;
}
