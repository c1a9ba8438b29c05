import { EnrolmentCommand, enrolmentArguments } from '../../../src/cli/client/enrolment-command.ts';

export default class CampaignContactsStop extends EnrolmentCommand {
  static override description = 'Stop sending to contacts of a campaign';
  static override examples = [
    '<%= config.bin %> campaign contacts stop 7 ada@example.org',
    '<%= config.bin %> campaign contacts stop 7 42 43',
  ];
  static override args = enrolmentArguments;
  static override strict = false;

  async run() {
    const { argv, flags } = await this.parse(CampaignContactsStop);
    return this.changeEach(flags, argv as string[], 'stopped', (api, one) => api.enrolments.stop.mutate(one));
  }
}
