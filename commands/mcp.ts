import { Flags } from '@oclif/core';
import type { Api } from '../src/cli/client/api.ts';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { versionOf } from '../src/cli/version.ts';
import { invalid } from '../src/core/errors.ts';
import { TOOL_SETS } from '../src/mcp/choice.ts';

export default class Mcp extends ClientCommand {
  static override description = `Serve campaigns, contacts, replies and reports to a language model over stdin and stdout

A program that speaks the Model Context Protocol starts this command; docs/mcp.md shows how to set it up. The model can do what the key can \
do, without the administration of the installation. What sends emails or deletes needs a confirmation. It serves until stdin ends.`;
  static override examples = [
    '<%= config.bin %> mcp --read-only',
    'OUTREACH_API_KEY=ork_… <%= config.bin %> mcp --url https://outreach.example.com',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    'read-only': Flags.boolean({ description: 'offer only the tools that change nothing' }),
    tools: Flags.string({
      description: `sets of tools to offer, separated by commas: ${TOOL_SETS.join(', ')}`,
      default: 'usual',
      helpValue: 'SETS',
    }),
  };

  async run() {
    const { flags } = await this.parse(Mcp);
    const sets = flags.tools.split(',').map((name) => name.trim());
    const unknown = sets.find((name) => !TOOL_SETS.includes(name));
    if (unknown !== undefined) throw invalid(`--tools: "${unknown}" is not a set of tools; sets: ${TOOL_SETS.join(', ')}`);
    const api = await this.client(flags);
    const [{ getUntypedClient }, { apiError }, { apiDocument }, { createMcpServer }, { serveUntilEnd }] = await Promise.all([
      import('@trpc/client'),
      import('../src/cli/client/api-error.ts'),
      import('../src/cli/client/api-document.ts'),
      import('../src/mcp/server.ts'),
      import('../src/mcp/stdio.ts'),
    ]);
    const locked = await lockOf(api, flags['read-only']);
    const document = await apiDocument(this.server);
    const client = getUntypedClient(api);
    const call = (type: 'query' | 'mutation', procedure: string, input: object) =>
      client[type](procedure, input).catch((error: unknown) => {
        throw apiError(error, this.server ?? undefined);
      });
    await serveUntilEnd(() => createMcpServer({ document, call, locked, sets, version: versionOf(this.config.root) }));
  }
}

/** Why nothing may be changed; null if it may. Throws if the key is not valid. */
async function lockOf(api: Api, isReadOnly: boolean): Promise<string | null> {
  const { role } = await api.access.me.query({});
  if (isReadOnly) return 'outreach mcp was started with --read-only';
  return role === 'view_only' ? 'the owner of the key may only view' : null;
}
