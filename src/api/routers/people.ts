import { z } from 'zod';
import {
  type Caller,
  disableUser,
  enableUser,
  findMember,
  type Invited,
  inviteUser,
  ROLES,
  renewInvite,
  requireInstallAdmin,
} from '../../access/index.ts';
import { emailText, nameText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { userSchema } from './users.ts';

const access = 'admin';
const address = emailText;
const byEmail = z.strictObject({ email: address });
const invited = userSchema.extend({ invite_link: z.string().nullable() });

const withLink = ({ user, inviteLink }: Invited) => ({ ...user, invite_link: inviteLink });

/** Finds a user by address, and the caller as an admin of the workspaces that the user is in and is invited to. */
async function found({ app, caller }: RequestContext, email: string): Promise<{ id: number; there: Caller; invitedTo: Caller }> {
  const user = await findMember(app.db, caller, email);
  const there = caller.isEverywhere ? { ...caller, workspaceId: user.workspace_id } : caller;
  const invitedTo = caller.isEverywhere ? { ...caller, workspaceId: user.invite_workspace_id ?? user.workspace_id } : caller;
  return { id: user.id, there, invitedTo };
}

/**
 * Users as commands name them: by address, and for the operator in any workspace. Served under /trpc only; the API has the same by id,
 * under /users.
 */
export const peopleRouter = router({
  add: procedure
    .meta({ access, callsOut: true })
    .input(z.strictObject({ name: nameText.optional(), email: address, role: z.enum(ROLES) }))
    .output(invited.extend({ is_emailed: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const added = await inviteUser(ctx.app, ctx.caller, input);
      return { ...withLink(added), is_emailed: added.isEmailed };
    }),

  invite: procedure
    .meta({ access, callsOut: true })
    .input(byEmail)
    .output(invited)
    .mutation(async ({ ctx, input }) => {
      const { id, invitedTo } = await found(ctx, input.email);
      return withLink(await renewInvite(ctx.app, invitedTo, id));
    }),

  disable: procedure
    .meta({ access })
    .input(byEmail)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      requireInstallAdmin(ctx.caller);
      const { id, there } = await found(ctx, input.email);
      return disableUser(ctx.app, there, id);
    }),

  enable: procedure
    .meta({ access })
    .input(byEmail)
    .output(userSchema)
    .mutation(async ({ ctx, input }) => {
      requireInstallAdmin(ctx.caller);
      const { id, there } = await found(ctx, input.email);
      return enableUser(ctx.app, there, id);
    }),
});
