import { beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf } from '../support/cli.ts';
import { testInstallation } from '../support/database.ts';

let cli: Cli;

beforeAll(async () => {
  cli = cliOf(await testInstallation());
});

describe('outreach workspace', () => {
  it('workspace list --json prints one document on stdout and nothing else', async () => {
    const answer = await cli(['workspace', 'list', '--json']);
    expect(answer).toMatchObject({ status: 0, stderr: '' });
    expect(answer.json().data).toMatchObject([{ id: 1, name: 'Default', is_default: true, members: 1 }]);
  });
});
