import { join } from 'node:path';
import { z } from 'zod';
import { insertContact } from '../../support/rows.ts';
import { at, type CommandCase, id } from './case.ts';
import { address, draft, fresh, type World } from './world.ts';

const counts = z.record(z.string(), z.int());

async function contact({ app }: World): Promise<string> {
  const email = address('contact');
  await insertContact(app, { email });
  return email;
}

/** Commands about what is stored: all of it, all of one person, what is counted of it. */
export const dataCases: Record<string, CommandCase> = {
  backup: {
    args: ({ dataDir }) => [join(dataDir, fresh('all.backup'))],
    json: z.looseObject({ file: z.string(), rows: id, tables: id, key_id: z.string() }),
    human: /^Wrote [\d,]+ rows of \d+ tables to /,
  },
  'campaign tracking': {
    args: async (world) => [await draft(world)],
    json: z.strictObject({ data: z.array(z.looseObject({ kind: z.string(), hits: z.int(), last_at: at.nullable() })) }),
    human: /^none$/m,
  },
  'person erase': {
    args: async (world) => [await contact(world), '--yes'],
    json: z.looseObject({ erased: counts, kept: z.array(z.string()).length(0) }),
    human: /^Erased: .*contacts: 1\b/,
  },
  'person export': {
    args: async (world) => [await contact(world)],
    json: z.looseObject({ email: z.email(), data: z.record(z.string(), z.array(z.unknown())) }),
    human: /"email": "contact\d+@example\.com"/,
  },
  'stats recount': {
    args: () => [],
    json: z.strictObject({ corrections: z.array(z.looseObject({ campaign_id: id, counter: z.string() })) }),
    human: /^(Every counter equals what the log says\.|CAMPAIGN_ID +COUNTER)/,
  },
};
