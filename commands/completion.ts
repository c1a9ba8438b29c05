import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.ts';
import { COMPLETION_SCRIPTS } from '../src/cli/completion-scripts.ts';

export default class Completion extends BaseCommand {
  static override description = `Print the script that completes commands, flags and names in your shell

Completes the names of campaigns, accounts, lists and templates that you can see, on the server you are logged in to or on this machine.

  bash  add to ~/.bashrc: source <(outreach completion bash)
  zsh   add to ~/.zshrc, after compinit: source <(outreach completion zsh)
  fish  outreach completion fish > ~/.config/fish/completions/outreach.fish`;
  static override examples = ['<%= config.bin %> completion bash', '<%= config.bin %> completion fish'];
  static override args = {
    shell: Args.option({ description: 'the shell', options: ['bash', 'zsh', 'fish'] as const })({ required: true }),
  };

  async run() {
    const { args } = await this.parse(Completion);
    const script = COMPLETION_SCRIPTS[args.shell];
    this.logAsIs(script);
    return { shell: args.shell, script };
  }
}
