import { Args, Flags } from '@oclif/core';
import { idArgument, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';

const trueOrFalse = (description: string) => Flags.option({ options: ['true', 'false'] as const, description })();
const isTrue = (text: 'true' | 'false' | undefined) => (text === undefined ? undefined : text === 'true');

export default class CampaignSet extends OutreachCommand {
  static override description = 'Change options of a campaign that the API does not expose\n\nChanges apply at once.';
  static override examples = [
    '<%= config.bin %> campaign set 7 --contact-timezone true',
    '<%= config.bin %> campaign set 7 --auto-reopen false --track-opens false',
  ];
  static override args = { id: Args.string({ required: true, description: 'id of the campaign' }) };
  static override flags = {
    'auto-reopen': trueOrFalse('restart a completed campaign when a contact is enrolled'),
    'contact-timezone': trueOrFalse('apply the sending hours in the time zone in the contact\'s custom field "timezone"'),
    footer: trueOrFalse('add the footer of the workspace to emails without an unsubscribe link'),
    'stop-company': trueOrFalse('stop contacts with the same email domain when one of them replies'),
    'track-clicks': trueOrFalse('rewrite links to track clicks'),
    'track-opens': trueOrFalse('add an image to track opens'),
    'when-unknown': Flags.option({
      options: ['wait', 'continue'] as const,
      description: 'after an email whose delivery is unknown, wait for a proof or a person, or continue the sequence',
    })(),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(CampaignSet);
    const id = idArgument(args.id, 'campaign');
    const options = {
      use_contact_timezone: isTrue(flags['contact-timezone']),
      auto_reopen: isTrue(flags['auto-reopen']),
      track_opens: isTrue(flags['track-opens']),
      track_clicks: isTrue(flags['track-clicks']),
      stop_company: isTrue(flags['stop-company']),
      footer: isTrue(flags.footer),
      when_unknown: flags['when-unknown'],
    };
    if (Object.values(options).every((value) => value === undefined)) throw invalid('nothing to change; see: outreach campaign set --help');
    const { changeCampaign, getCampaignOptions } = await import('../../src/campaigns/index.ts');
    const campaign = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      const changed = await changeCampaign(app, caller, id, options);
      return { ...changed, ...(await getCampaignOptions(app.db, caller, id)) };
    });
    this.log(record(campaign));
    return campaign;
  }
}
