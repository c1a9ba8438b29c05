import { Flags } from '@oclif/core';
import { type Enrolment, EnrolmentCommand, enrolmentArguments, enrolmentFlags } from '../../../src/cli/client/enrolment-command.ts';
import { idOf } from '../../../src/cli/client/names.ts';
import { campaignFrame } from '../../../src/cli/client/time-frame.ts';
import { instantText, TIMES } from '../../../src/cli/instant.ts';
import { localText } from '../../../src/terminal/local-text.ts';

export default class CampaignContactsHold extends EnrolmentCommand {
  static override description = 'Hold the emails to contacts of a campaign until a given time';
  static override examples = [
    '<%= config.bin %> campaign contacts hold 7 ada@example.org --until 2026-12-01',
    '<%= config.bin %> campaign contacts hold 7 ada@example.org --until 2w',
  ];
  static override args = enrolmentArguments;
  static override flags = {
    ...enrolmentFlags,
    until: Flags.string({ required: true, description: `when emails continue, in the zone of the campaign, ${TIMES}`, helpValue: 'TIME' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignContactsHold);
    const api = await this.client(flags);
    const frame = await campaignFrame(api, await idOf(api, 'campaign', args.campaign), 'future');
    const until = instantText(flags.until, '--until', frame);
    const shown = `held until ${localText(until, frame.timezone)}`;
    if (flags.search !== undefined && args.contact === undefined)
      return this.changeFound(flags, args.campaign, flags.search, shown, (to, found) => to.enrolments.holdMany.mutate({ ...found, until }));
    const line = ({ email }: Enrolment) => `${email} is ${shown}.`;
    return this.changeEach(flags, args, line, (api, one) => api.enrolments.hold.mutate({ ...one, until }));
  }
}
