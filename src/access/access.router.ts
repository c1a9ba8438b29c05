import { z } from 'zod';
import { procedure, router } from '../api/trpc.ts';
import { ROLES } from './caller.ts';

const me = z.object({
  user_id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  api_key_id: z.number().int(),
});

export const accessRouter = router({
  me: procedure
    .meta({ openapi: { method: 'GET', path: '/me', tags: ['Identity'], summary: 'Who the key speaks for' } })
    .input(z.strictObject({}))
    .output(me)
    .query(({ ctx: { identity } }) => ({
      user_id: identity.caller.userId ?? 0,
      name: identity.name,
      email: identity.email,
      role: identity.caller.role,
      api_key_id: identity.caller.apiKeyId ?? 0,
    })),
});
