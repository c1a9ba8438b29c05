import { z } from 'zod';
import type { World } from './world.ts';

/** One command, run for people and for programs. Each run gets its own arguments and records. */
export interface CommandCase {
  args: (world: World) => string[] | Promise<string[]>;
  /** The schema of the output of --json. */
  json: z.ZodType;
  /** The text on stdout without --json. */
  human: RegExp;
  env?: (world: World) => Record<string, string>;
}

/** Schemas that many results share. */
export const id = z.int().positive();
export const at = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
/** A list that the API paginates. */
export const pageOf = (row: z.ZodType) =>
  z.strictObject({
    data: z.array(row).min(1),
    pagination: z.strictObject({ total: z.int().nullable(), limit: z.int(), offset: z.literal(0) }),
  });
