import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/cli/client/api.ts';
import { idOf, isFoundBy } from '../../../src/cli/client/names.ts';

const page = <Row>(data: Row[]) => ({ data, pagination: { total: data.length, limit: 200, offset: 0 } });
const CAMPAIGNS = [
  { id: 3, name: 'Spring fair' },
  { id: 4, name: 'Autumn' },
  { id: 5, name: 'autumn' },
];
const api = {
  campaigns: {
    list: { query: async ({ archived }: { archived: boolean }) => page(archived ? [{ id: 9, name: 'Old one' }] : CAMPAIGNS) },
  },
  accounts: { list: { query: async () => page([{ id: 7, email: 'zoe@example.com' }]) } },
} as unknown as Api;

describe('a name where an id works', () => {
  it('is found, ignoring case and among archived records too', async () => {
    expect(await idOf(api, 'campaign', 'spring FAIR')).toBe(3);
    expect(await idOf(api, 'campaign', 'Old one')).toBe(9);
    expect(await idOf(api, 'account', 'zoe@example.com')).toBe(7);
  });

  it('may be an id, which is not looked up', async () => {
    expect(await idOf({} as Api, 'campaign', '12')).toBe(12);
  });

  it('that several records have is refused with their ids', async () => {
    await expect(idOf(api, 'campaign', 'Autumn')).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'several campaigns are named "Autumn"; use an id: 4, 5',
    });
  });

  it('that nothing has is refused with the nearest one', async () => {
    await expect(idOf(api, 'campaign', 'Sprng fair')).rejects.toMatchObject({
      code: 'not_found',
      message: 'campaign "Sprng fair" not found; did you mean "Spring fair" (3)?',
    });
    await expect(idOf(api, 'campaign', 'Something else')).rejects.toThrow(/^campaign "Something else" not found$/);
  });
});

describe('a record that is not found here is looked for in other workspaces', () => {
  it('one that was named and not found is found there', async () => {
    const here = { campaigns: { list: { query: async () => page([]) } } } as unknown as Api;
    await expect(idOf(here, 'campaign', 'Spring fair')).rejects.toThrow('not found');
    expect(await isFoundBy(api, here)).toBe(true);
  });

  it('another thing is not: what was named before it was found here', async () => {
    const here = { campaigns: api.campaigns } as unknown as Api;
    expect(await idOf(here, 'campaign', 'Spring fair')).toBe(3);
    expect(await isFoundBy(api, here)).toBe(false);
  });
});
