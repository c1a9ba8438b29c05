import { z } from 'zod';
import type { World } from './world.ts';

/** How one command is run, for people and for programs; each run gets arguments, and things, of its own. */
export interface CommandCase {
  args: (world: World) => string[] | Promise<string[]>;
  /** What --json prints. */
  json: z.ZodType;
  /** What people are shown on stdout. */
  human: RegExp;
  env?: (world: World) => Record<string, string>;
}

/** What many answers hold. */
export const id = z.int().positive();
export const at = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** A list that the API paginates. */
export const pageOf = (row: z.ZodType) =>
  z.strictObject({
    data: z.array(row).min(1),
    pagination: z.strictObject({ total: z.int().nullable(), limit: z.int(), offset: z.literal(0) }),
  });
