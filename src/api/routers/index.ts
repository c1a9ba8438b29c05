import { router } from '../trpc.ts';
import { accessRouter } from './access.ts';
import { accountOverviewRouter } from './account-overview.ts';
import { accountSetupRouter } from './account-setup.ts';
import { accountsRouter } from './accounts.ts';
import { activityRouter } from './activity.ts';
import { attachmentsRouter } from './attachments.ts';
import { callsRouter } from './calls.ts';
import { campaignFilesRouter } from './campaign-files.ts';
import { campaignOptionsRouter } from './campaign-options.ts';
import { campaignsRouter } from './campaigns.ts';
import { contactsRouter } from './contacts.ts';
import { customFieldsRouter } from './custom-fields.ts';
import { dailySummariesRouter } from './daily-summaries.ts';
import { enrolmentsRouter } from './enrolments.ts';
import { eventsRouter } from './events.ts';
import { groupedCampaignsRouter } from './grouped-campaigns.ts';
import { historyRouter } from './history.ts';
import { importsRouter } from './imports.ts';
import { keysRouter } from './keys.ts';
import { listsRouter } from './lists.ts';
import { liveRouter } from './live.ts';
import { outboxRouter } from './outbox.ts';
import { peopleRouter } from './people.ts';
import { personRouter } from './person.ts';
import { repliesRouter } from './replies.ts';
import { reportsRouter } from './reports.ts';
import { rotationsRouter } from './rotations.ts';
import { searchRouter } from './search.ts';
import { sendingRouter } from './sending.ts';
import { sharesRouter } from './shares.ts';
import { stepsRouter } from './steps.ts';
import { suppressionsRouter } from './suppressions.ts';
import { templatesRouter } from './templates.ts';
import { trashRouter } from './trash.ts';
import { usersRouter } from './users.ts';
import { webhooksRouter } from './webhooks.ts';

/** All procedures: served as REST under /api/v1 and as tRPC under /trpc. */
export const appRouter = router({
  access: accessRouter,
  // Before contacts, whose /contacts/{id} would take /contacts/search.
  search: searchRouter,
  contacts: contactsRouter,
  // Before accounts, whose /accounts/{id} would take /accounts/overview.
  accountOverview: accountOverviewRouter,
  accounts: accountsRouter,
  accountSetup: accountSetupRouter,
  // Before campaigns, whose /campaigns/{id} would take /campaigns/grouped.
  groupedCampaigns: groupedCampaignsRouter,
  campaigns: campaignsRouter,
  campaignOptions: campaignOptionsRouter,
  campaignFiles: campaignFilesRouter,
  steps: stepsRouter,
  attachments: attachmentsRouter,
  rotations: rotationsRouter,
  calls: callsRouter,
  templates: templatesRouter,
  sending: sendingRouter,
  imports: importsRouter,
  lists: listsRouter,
  customFields: customFieldsRouter,
  suppressions: suppressionsRouter,
  users: usersRouter,
  dailySummaries: dailySummariesRouter,
  people: peopleRouter,
  keys: keysRouter,
  shares: sharesRouter,
  enrolments: enrolmentsRouter,
  events: eventsRouter,
  reports: reportsRouter,
  activity: activityRouter,
  replies: repliesRouter,
  webhooks: webhooksRouter,
  outbox: outboxRouter,
  trash: trashRouter,
  history: historyRouter,
  person: personRouter,
  live: liveRouter,
});

export type AppRouter = typeof appRouter;
