import { Flags } from '@oclif/core';
import { EnrolmentCommand, enrolmentArguments } from '../../../src/cli/client/enrolment-command.ts';
import { instantText } from '../../../src/cli/instant.ts';

export default class CampaignContactsHold extends EnrolmentCommand {
  static override description = 'Hold the emails to contacts of a campaign until a given time';
  static override examples = ['<%= config.bin %> campaign contacts hold 7 ada@example.org --until 2026-12-01'];
  static override args = enrolmentArguments;
  static override flags = {
    until: Flags.string({ required: true, description: 'date or timestamp at which emails continue', helpValue: 'TIME' }),
  };

  async run() {
    const { args, flags } = await this.parse(CampaignContactsHold);
    const until = instantText(flags.until, '--until');
    const shown = `held until ${until.slice(0, 19).replace('T', ' ')} UTC`;
    return this.changeEach(flags, args, shown, (api, one) => api.enrolments.hold.mutate({ ...one, until }));
  }
}
