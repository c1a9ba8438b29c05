import { Args } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';

export default class CampaignCheck extends OutreachCommand {
  static override description = `Check a campaign before it is activated

Looks at the account, the sending windows, the ways to opt out, and the placeholders, links and subjects of every step. Exits with 1 if something keeps emails from leaving.`;
  static override examples = ['<%= config.bin %> campaign check 7', '<%= config.bin %> campaign check "Spring fair" --json'];
  static override args = { campaign: Args.string({ required: true, description: 'id or name of the campaign' }) };
  static override flags = { workspace: workspaceFlag };

  async run() {
    const { args, flags } = await this.parse(CampaignCheck);
    const { checkCampaign, findCampaign } = await import('../../src/campaigns/index.ts');
    const check = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const id = await findCampaign(app.db, caller, args.campaign);
      return { campaign_id: id, warnings: await checkCampaign(app, caller, id) };
    });
    for (const { is_blocking, message } of check.warnings) this.log(`${is_blocking ? 'fail' : 'warn'}  ${message}`);
    if (check.warnings.length === 0) this.log('No warnings.');
    const ok = check.warnings.every(({ is_blocking }) => !is_blocking);
    if (!ok) process.exitCode = 1;
    return { ok, ...check };
  }
}
