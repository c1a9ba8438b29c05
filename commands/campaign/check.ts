import type { Api } from '../../src/cli/client/api.ts';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { nextOnceChecked } from '../../src/cli/client/pre-flight.ts';

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
    if (this.tellsNext) this.next(await nextCommand(api, id, warnings));
    return { ok, campaign_id: id, warnings };
  }
}

/** Returns the command that helps with the warnings. */
async function nextCommand(api: Api, id: number, warnings: readonly { code: string; is_blocking: boolean }[]): Promise<string> {
  if (warnings.some(({ code }) => code === 'no_email_step')) return `campaign step add ${id} --subject "…" --text-file FILE`;
  if (warnings.some(({ is_blocking }) => is_blocking)) return `campaign step list ${id}`;
  return nextOnceChecked(api, id);
}
