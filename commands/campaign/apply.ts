import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import type { TargetFlags } from '../../src/cli/client/target.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';
import { say } from '../../src/cli/terminal.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';

type Applied = Awaited<ReturnType<Awaited<ReturnType<ClientCommand['client']>>['campaignFiles']['applyAll']['mutate']>>;

export default class CampaignApply extends ClientCommand {
  static override description = `Create and change campaigns from files

Shows what would change and asks. Then it changes all campaigns of all files, or none. Applying a file again changes nothing. Settings that \
a file leaves out stay as they are; the contacts of the list are enrolled, and nobody is removed. See docs/campaign-files.md.`;
  static override examples = [
    '<%= config.bin %> campaign apply spring.yaml --dry-run',
    '<%= config.bin %> campaign apply campaigns/*.yaml --yes',
  ];
  static override args = {
    file: Args.string({ required: true, multiple: true, description: 'YAML file, or - for stdin; several may be named' }),
  };
  static override flags = {
    'dry-run': Flags.boolean({ description: 'show what would change, and change nothing' }),
    yes: yesFlag,
  };

  async run() {
    const { args, flags } = await this.parse(CampaignApply);
    const { placed, readCampaignFiles } = await import('../../src/cli/campaign-files/read-files.ts');
    const files = args.file;
    const { campaigns: filed, mistakes } = await readCampaignFiles(files);
    refuse(mistakes, files.length);
    const api = await this.client(flags);
    const campaigns = filed.map(({ campaign }) => campaign);
    await this.upload(flags, new Map(filed.flatMap(({ attached }) => [...attached])).values());
    const planned = await api.campaignFiles.applyAll.mutate({ campaigns, dry_run: true });
    refuse(
      planned.mistakes.map(({ campaign, field, message }) => {
        const { file, lineOf } = filed[campaign] ?? { file: files[0] ?? '', lineOf: () => 1 };
        return placed(file, { line: lineOf(field), field, message });
      }),
      files.length,
    );
    await this.show(planned);
    const changed = planned.results.filter(({ action }) => action !== 'none').length;
    if (flags['dry-run'] || changed === 0) return planned;
    await confirm(flags, `Apply these changes to ${quantity(changed, 'campaign')}?`, 'nothing was changed');
    const done = await api.campaignFiles.applyAll.mutate({ campaigns, expected: planned.digest });
    for (const { id, name, action } of done.results)
      if (action !== 'none') this.logLine(`${action === 'create' ? 'Created' : 'Changed'} campaign ${id}, ${name}.`);
    const [first] = done.results;
    if (first !== undefined) this.next(`campaign check ${first.id}`);
    return done;
  }

  /** Uploads the attachments. Those of a campaign that is then not applied are deleted after an hour. */
  private async upload(flags: TargetFlags, paths: Iterable<string>): Promise<void> {
    const { uploadFile } = await import('../../src/cli/client/upload-file.ts');
    for (const path of paths) await uploadFile(flags, this.target(flags), path);
  }

  /** Prints the changes as a diff of the files that `campaign export` writes. */
  private async show({ results }: Applied): Promise<void> {
    const { campaignDiff } = await import('../../src/cli/campaign-files/diff.ts');
    for (const { id, name, action, before, after, enrolled, notes } of results) {
      this.logLine(action === 'create' ? `${name}: new` : `${name} (${id}): ${action === 'none' ? 'no changes' : 'changes'}`);
      const diff = campaignDiff(before, after);
      if (diff !== '') this.log(diff);
      if (enrolled > 0) this.logLine(`+ ${quantity(enrolled, 'contact')} to enrol`);
      for (const note of notes) this.logLine(`note: ${note}`);
    }
  }
}

/** Prints mistakes, one a line, and throws `invalid_request` if there are any. */
function refuse(mistakes: readonly string[], files: number): void {
  if (mistakes.length === 0) return;
  for (const mistake of mistakes) say(mistake);
  throw invalid(`${quantity(mistakes.length, 'mistake')} in ${quantity(files, 'file')}; nothing was changed`);
}
