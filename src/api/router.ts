import { accessRouter } from '../access/access.router.ts';
import { sharesRouter } from '../access/shares.router.ts';
import { usersRouter } from '../access/users.router.ts';
import { accountsRouter } from '../accounts/accounts.router.ts';
import { campaignsRouter } from '../campaigns/campaigns.router.ts';
import { enrolmentsRouter } from '../campaigns/enrolments.router.ts';
import { stepsRouter } from '../campaigns/steps.router.ts';
import { templatesRouter } from '../campaigns/templates.router.ts';
import { contactsRouter } from '../contacts/contacts.router.ts';
import { customFieldsRouter } from '../contacts/custom-fields.router.ts';
import { listsRouter } from '../contacts/lists.router.ts';
import { searchRouter } from '../contacts/search.router.ts';
import { suppressionsRouter } from '../contacts/suppressions.router.ts';
import { eventsRouter } from '../events/events.router.ts';
import { liveRouter } from '../live/live.router.ts';
import { sendingRouter } from '../sending/sending.router.ts';
import { webhooksRouter } from '../webhooks/webhooks.router.ts';
import { router } from './trpc.ts';

/** Every door of every room: served as REST under /api/v1 and as native tRPC under /trpc. */
export const appRouter = router({
  access: accessRouter,
  contacts: contactsRouter,
  accounts: accountsRouter,
  campaigns: campaignsRouter,
  steps: stepsRouter,
  templates: templatesRouter,
  sending: sendingRouter,
  lists: listsRouter,
  search: searchRouter,
  customFields: customFieldsRouter,
  suppressions: suppressionsRouter,
  users: usersRouter,
  shares: sharesRouter,
  enrolments: enrolmentsRouter,
  events: eventsRouter,
  webhooks: webhooksRouter,
  live: liveRouter,
});

export type AppRouter = typeof appRouter;
