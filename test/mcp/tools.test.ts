import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/openapi.ts';
import { appRouter } from '../../src/api/routers/index.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { toolName } from '../../src/mcp/choice.ts';
import { type ApiDocument, operationsOf } from '../../src/mcp/operations.ts';
import { registerPrompts } from '../../src/mcp/prompts.ts';
import { toolsOf } from '../../src/mcp/tools.ts';

const document = openApiDocument(appRouter, '/api/v1') as ApiDocument;
const tools = toolsOf(document);

/** Operations that are no tools: the administration of an installation, what another tool does as well, and uploads of files. */
const NO_TOOLS = [
  ...['accounts_archive', 'accounts_remove', 'accounts_unarchive', 'contacts_merge', 'events_list_of_campaign', 'search_export'],
  ...[
    'account_placements',
    'account_setup',
    'attachments',
    'daily_summaries',
    'weekly_reports',
    'grouped_campaigns',
    'history',
    'imports',
    'keys',
    'outbox',
    'person',
    'report_links',
    'shares',
    'trash',
    'users',
    'webhooks',
  ],
];

/** Tools that change something and need no confirmation, because they neither send nor rewrite nor delete. */
const UNCONFIRMED = [
  ...[
    'account_health_check',
    'accounts_pause',
    'campaigns_archive',
    'campaigns_copy',
    'campaigns_create',
    'campaigns_pause',
    'campaigns_unarchive',
  ],
  ...[
    'contacts_archive',
    'contacts_unarchive',
    'custom_fields_create',
    'draft_answer',
    'draft_update',
    'enrolments_hold',
    'enrolments_stop',
  ],
  ...['lists_create', 'lists_update', 'replies_confirm_opt_out', 'rotations_pause'],
  ...['templates_archive', 'templates_create', 'templates_unarchive', 'templates_update'],
];

describe('the tools', () => {
  it('are all operations of the API but those that are left out on purpose', () => {
    const names = tools.map(({ name }) => name);
    const left = operationsOf(document)
      .map(({ procedure }) => toolName(procedure))
      .filter((name) => !names.includes(name));
    expect(left.filter((name) => !NO_TOOLS.some((known) => name === known || name.startsWith(`${known}_`)))).toEqual([]);
  });

  it('have names that every client takes, each once', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z_]{2,47}$/);
  });

  it('need a confirmation to send or to delete, and say why', () => {
    const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
    expect(
      changing
        .filter(({ confirm, mayNeedConfirm }) => confirm === undefined && !mayNeedConfirm)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...UNCONFIRMED].sort());
    for (const { name, input, description, annotations, confirm, mayNeedConfirm } of changing) {
      expect(input.properties?.confirm !== undefined, name).toBe(mayNeedConfirm || confirm !== undefined);
      expect(annotations.destructiveHint, name).toBe(mayNeedConfirm || confirm !== undefined);
      if (confirm !== undefined) expect(description).toContain(`Needs \`confirm: true\`, because ${confirm}`);
    }
  });

  it('have schemas that stand alone and compile, and name each tool, not its path, in descriptions', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, input, operation, description } of tools) {
      expect(input.type, name).toBe('object');
      expect(() => ajv.compile(input), name).not.toThrow();
      if (operation.output !== undefined) expect(() => ajv.compile(operation.output as object), name).not.toThrow();
      expect(description, name).not.toMatch(/(GET|POST|PATCH|DELETE|PUT) \/|Scope:/);
    }
  });

  it('have one type at each place of a schema, as some clients need it', () => {
    expect(JSON.stringify(tools.map(({ input, operation }) => [input, operation.output]))).not.toContain('"type":[');
  });

  // "95 tools, tools/list 206,879 characters (~50,000 tokens). Cursor advises at most 40 tools."
  it('that are offered unless others are asked for are at most 30, and take a model less than 12,000 tokens', () => {
    const offered = tools.filter(({ isOffered }) => isOffered);
    expect(offered.length).toBeGreaterThan(25);
    expect(offered.length).toBeLessThanOrEqual(30);
    const listed = offered.map(({ name, description, input, annotations }) => ({ name, description, input, annotations }));
    // A token of such JSON has three characters and more.
    expect(JSON.stringify(listed).length / 3).toBeLessThan(12_000);
    const others = toolsOf(document, ['replies', 'reports']).filter(({ isOffered }) => isOffered);
    expect(others.map(({ name }) => name)).toContain('replies_answer');
    expect(toolsOf(document, ['all']).every(({ isOffered }) => isOffered)).toBe(true);
  });

  it('are those that the prompts name, and only tools that read if nothing may be changed', () => {
    for (const isReadOnly of [false, true]) {
      const asked: string[] = [];
      const server = {
        registerPrompt: (_name: string, _about: object, ask: (given: object) => object) =>
          asked.push(JSON.stringify(ask({ about: 'clocks' }))),
      };
      registerPrompts(server as never, isReadOnly);
      const named = tools.filter(({ name }) => asked.some((text) => text.match(/\w+/g)?.includes(name)));
      expect(named.length).toBeGreaterThan(3);
      const missing = named.filter(({ isOffered, annotations }) => !isOffered || (isReadOnly && !annotations.readOnlyHint));
      expect(missing.map(({ name }) => name)).toEqual([]);
    }
  });

  it('"every tool typed": say in words what a text must be where the API has a pattern, which models do not get', () => {
    const used = new Set(tools.flatMap(({ input }) => Object.keys(input.$defs ?? {})));
    const demanding = Object.entries(document.components.schemas).filter(
      ([name, { pattern }]) => used.has(name) && typeof pattern === 'string' && !new RegExp(pattern, 'u').test('any text'),
    );
    expect(demanding.length).toBeGreaterThan(4);
    expect(demanding.filter(([, { description }]) => description === undefined).map(([name]) => name)).toEqual([]);
  });

  it('name what they are about, and the search says its grammar', () => {
    const names = tools.map(({ name }) => name);
    for (const name of ['whoami', 'contacts_search', 'campaigns_explain', 'campaigns_send_test', 'campaigns_stats', 'accounts_list'])
      expect(names).toContain(name);
    expect(tools.find(({ name }) => name === 'contacts_search')?.description).toContain('`company:acme -replied:true`');
  });
});

describe('a call', () => {
  const toolOf = (name: string) => tools.find((tool) => tool.name === name) ?? expect.unreachable(name);
  const never = () => expect.unreachable('a procedure was called');

  it.each(
    tools.filter(({ confirm }) => confirm !== undefined).map((tool) => [tool.name, tool] as const),
  )('%s: does nothing without confirm: true', async (_, tool) => {
    for (const confirm of [undefined, false, 'true', 1, null])
      expect(await callTool(tool, { id: 1, confirm }, never, null)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Nothing was done') }],
      });
  });

  it.each(
    tools.filter(({ annotations }) => !annotations.readOnlyHint).map((tool) => [tool.name, tool] as const),
  )('%s: does nothing when nothing may be changed', async (_, tool) => {
    expect(await callTool(tool, { id: 1, confirm: true }, never, 'this is a test')).toMatchObject({
      isError: true,
      content: [{ text: `forbidden: ${tool.name} changes something, and this is a test` }],
    });
  });

  // "`campaigns_get {}` and `{"id":"x"}` → "campaign not found" instead of "id: is required"."
  it.each([
    [{}, 'id: is required'],
    [{ id: 'x' }, 'id: must be the number of a record'],
  ])('with the input %j says what is wrong with it', async (input, message) => {
    const result = await callTool(toolOf('campaigns_get'), input, never, null);
    expect(result).toMatchObject({ isError: true, content: [{ text: `invalid_request: ${message}` }] });
  });

  it('asks for a page of 20, unless the model asks for another', async () => {
    const asked: object[] = [];
    const call = async (_type: string, _procedure: string, input: object) => {
      asked.push(input);
      return { data: [] };
    };
    await callTool(toolOf('replies_list'), {}, call, null);
    await callTool(toolOf('replies_list'), { limit: 3 }, call, null);
    expect(asked).toEqual([{ limit: 20 }, { limit: 3 }]);
  });

  it.each([
    ['a text that was cut', 'Hello … [cut by Outreach: 12 more characters; do not write this text back]', 'would be lost'],
    ['a tag of untrusted text', '<p><untrusted-12ab34cd>Hi</untrusted-12ab34cd></p>', 'remove the tags'],
  ])('writes back neither %s', async (_, body_html, message) => {
    const result = await callTool(toolOf('steps_update'), { id: 1, step_id: 1, body_html, confirm: true }, never, null);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(message) }] });
  });
});
