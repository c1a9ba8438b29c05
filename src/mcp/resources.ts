import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { OutreachError } from '../core/errors.ts';
import type { Call } from './call.ts';
import { success } from './results.ts';
import type { Tool } from './tools.ts';

const MAX_LISTED = 50;
const mimeType = 'application/json';

type Read = (procedure: string, input: object) => Promise<string>;

/** Offers campaigns, replies and reports for reading, in the form of tool results. */
export function registerResources(server: McpServer, tools: readonly Tool[], call: Call): void {
  const read: Read = async (procedure, input) => {
    const schema = tools.find(({ operation }) => operation.procedure === procedure)?.operation.output;
    return success(await call('query', procedure, input), schema, 0)
      .content.map(({ text }) => text)
      .join('\n');
  };
  const rows = async (procedure: string, input: object) =>
    ((await call('query', procedure, { ...input, limit: MAX_LISTED })) as { data: { id: number; name?: string; received_at?: string }[] })
      .data;

  const campaigns = async () => (await rows('campaigns.list', {})).map(({ id, name = '' }) => ({ id, name: `Campaign ${id}: ${name}` }));
  // The name leaves out the author, because models trust the names of resources as ours.
  const replies = async () =>
    (await rows('replies.list', { is_read: false })).map(({ id, received_at }) => ({ id, name: `Reply ${id}, received ${received_at}` }));

  const offer = (name: string, uri: string, title: string, list: () => Promise<{ id: number; name: string }[]>, parts: readonly string[]) =>
    server.registerResource(
      name,
      new ResourceTemplate(uri, {
        list: async () => ({
          resources: (await list()).map((found) => ({ uri: uri.replace('{id}', String(found.id)), name: found.name, mimeType })),
        }),
      }),
      { title, mimeType },
      async ({ href }, { id }) => ({
        contents: await Promise.all(parts.map(async (part) => ({ uri: href, mimeType, text: await read(part, { id: String(id) }) }))).catch(
          (error: unknown) => {
            // The protocol would report any other error as internal.
            throw error instanceof OutreachError && error.code === 'not_found' ? new ResourceNotFoundError(href, error.message) : error;
          },
        ),
      }),
    );

  offer('campaign', 'outreach://campaigns/{id}', 'A campaign with its steps, figures and warnings', campaigns, [
    ...['campaigns.get', 'steps.list', 'events.stats', 'campaigns.warnings'],
  ]);
  offer('campaign report', 'outreach://campaigns/{id}/report', 'The report on a campaign', campaigns, ['reports.campaign']);
  offer('reply', 'outreach://replies/{id}', 'A reply with its text and its thread', replies, ['replies.get']);
  server.registerResource('report', 'outreach://report', { title: 'The report on all campaigns', mimeType }, async ({ href }) => ({
    contents: [{ uri: href, mimeType, text: await read('reports.workspace', {}) }],
  }));
}
