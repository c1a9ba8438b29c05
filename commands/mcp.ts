import { Flags } from '@oclif/core';
import type { Api } from '../src/cli/client/api.ts';
import { ClientCommand } from '../src/cli/client/client-command.ts';
import { versionOf } from '../src/cli/version.ts';
import { invalid } from '../src/core/errors.ts';
import { TOOL_SETS } from '../src/mcp/choice.ts';
import { type Rights, rightsOf } from '../src/mcp/rights.ts';

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
    const rights = await rightsIn(api, flags['read-only']);
    const document = await apiDocument(this.server);
    const client = getUntypedClient(api);
    const call = (type: 'query' | 'mutation', procedure: string, input: object) =>
      client[type](procedure, input).catch((error: unknown) => {
        throw apiError(error, this.server ?? undefined);
      });
    await serveUntilEnd(() => createMcpServer({ document, call, rights, sets, version: versionOf(this.config.root) }));
  }
}

/** Returns the rights of the model: those of its key, or reading only. Throws if the key is not valid. */
async function rightsIn(api: Api, isReadOnly: boolean): Promise<Rights> {
  const [{ role }, { scopes }] = await Promise.all([api.access.me.query({}), api.access.scopes.query({})]);
  return isReadOnly ? { scopes, locked: 'outreach mcp was started with --read-only' } : rightsOf(role, scopes);
}
