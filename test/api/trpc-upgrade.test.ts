import { callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { ZodError, z } from 'zod';

interface Context {
  status?: number;
}

const t = initTRPC.context<Context>().create();
const router = t.router({
  things: t.router({
    make: t.procedure.input(z.strictObject({ id: z.number() })).mutation(({ ctx, input }) => {
      ctx.status = 201;
      return input.id;
    }),
  }),
});

const call = (input: unknown, ctx: Context = {}, type: 'query' | 'mutation' = 'mutation') =>
  callTRPCProcedure({ router, path: 'things.make', type, ctx, getRawInput: async () => input, signal: undefined, batchIndex: 0 });

describe('an upgrade of tRPC breaks the REST API unless', () => {
  it('callTRPCProcedure gives what the procedure returned', async () => {
    expect(await call({ id: 7 })).toBe(7);
  });

  it('the procedure is handed the context itself, so that the status it sets can be read', async () => {
    const context: Context = {};
    await call({ id: 7 }, context);
    expect(context.status).toBe(201);
  });

  it('input is checked by its schema alone, and an error of it is the cause of BAD_REQUEST', async () => {
    const error = await call({ id: '7' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TRPCError);
    expect(error).toMatchObject({ code: 'BAD_REQUEST', cause: expect.any(ZodError) });
  });

  it('a mutation is not found as a query', async () => {
    await expect(call({ id: 7 }, {}, 'query')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
