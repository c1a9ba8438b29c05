import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { writeToStdout } from '../../src/cli/terminal.ts';

export default class CampaignExport extends ClientCommand {
  static override description = `Print a campaign as a YAML file

The file has every key except contacts; applying it changes nothing. A rotation group becomes one file.`;
  static override examples = ['<%= config.bin %> campaign export "Spring fair" > spring.yaml'];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };

  async run() {
    const { args, flags } = await this.parse(CampaignExport);
    const api = await this.client(flags);
    const campaign = await api.campaignFiles.export.query({ id: await idOf(api, 'campaign', args.campaign) });
    const { campaignYaml } = await import('../../src/campaign-files/write.ts');
    if (!this.jsonEnabled()) await writeToStdout(chunks(campaignYaml(campaign)));
    return campaign;
  }
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}
