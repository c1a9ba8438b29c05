import { EnrolmentCommand, enrolmentArguments, enrolmentFlags } from '../../../src/cli/client/enrolment-command.ts';

export default class CampaignContactsResume extends EnrolmentCommand {
  static override description = 'Resume sending to contacts of a campaign, at their next step';
  static override examples = ['<%= config.bin %> campaign contacts resume 7 ada@example.org'];
  static override args = enrolmentArguments;
  static override flags = enrolmentFlags;

  async run() {
    const { args, flags } = await this.parse(CampaignContactsResume);
    return this.changeEach(
      flags,
      args,
      ({ email }) => `${email} is active again.`,
      (api, one) => api.enrolments.resume.mutate(one),
    );
  }
}
