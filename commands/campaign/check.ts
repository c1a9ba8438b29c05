import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class CampaignCheck extends ClientCommand {
  static override description = `Check a campaign before it is activated

Looks at the account, the sending windows, the ways to opt out, and the placeholders, links and subjects of every step. Exits with 1 if something keeps emails from leaving.`;
  static override examples = ['<%= config.bin %> campaign check 7', '<%= config.bin %> campaign check "Spring fair" --json'];
  static override args = { campaign: campaignArgument };

  async run() {
    const { args, flags } = await this.parse(CampaignCheck);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const { data: warnings } = await api.campaigns.warnings.query({ id });
    for (const { is_blocking, message } of warnings) this.tell(`${is_blocking ? 'fail' : 'warn'}  ${message}`);
    if (warnings.length === 0) this.log('No warnings.');
    const ok = warnings.every(({ is_blocking }) => !is_blocking);
    if (!ok) process.exitCode = 1;
    const isEmpty = warnings.some(({ code }) => code === 'no_email_step');
    const { status } = await api.campaigns.get.query({ id });
    const canStart = status === 'draft' || status === 'paused';
    this.next(
      ok
        ? `campaign ${canStart ? 'activate' : 'explain'} ${id}`
        : isEmpty
          ? `campaign step add ${id} --subject "…" --text-file FILE`
          : `campaign step list ${id}`,
    );
    return { ok, campaign_id: id, warnings };
  }
}
