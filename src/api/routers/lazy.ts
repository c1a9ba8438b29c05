import { lazy } from '@trpc/server';
import { router } from '../trpc.ts';

/** Every resource of the API. A REST path is matched against them in this order. */
export const resources = {
  access: lazy(async () => (await import('./access.ts')).accessRouter),
  // Before contacts, whose /contacts/{id} would match /contacts/search.
  search: lazy(async () => (await import('./search.ts')).searchRouter),
  contacts: lazy(async () => (await import('./contacts.ts')).contactsRouter),
  contactPages: lazy(async () => (await import('./contact-pages.ts')).contactPagesRouter),
  // Before accounts, whose /accounts/{id} would match /accounts/overview.
  accountOverview: lazy(async () => (await import('./account-overview.ts')).accountOverviewRouter),
  accounts: lazy(async () => (await import('./accounts.ts')).accountsRouter),
  verification: lazy(async () => (await import('./verification.ts')).verificationRouter),
  accountHealth: lazy(async () => (await import('./account-health.ts')).accountHealthRouter),
  accountPlacements: lazy(async () => (await import('./account-placements.ts')).accountPlacementsRouter),
  accountSetup: lazy(async () => (await import('./account-setup.ts')).accountSetupRouter),
  // Before campaigns, whose /campaigns/{id} would match /campaigns/grouped.
  groupedCampaigns: lazy(async () => (await import('./grouped-campaigns.ts')).groupedCampaignsRouter),
  campaigns: lazy(async () => (await import('./campaigns.ts')).campaignsRouter),
  campaignOptions: lazy(async () => (await import('./campaign-options.ts')).campaignOptionsRouter),
  campaignSetup: lazy(async () => (await import('./campaign-setup.ts')).campaignSetupRouter),
  campaignFiles: lazy(async () => (await import('./campaign-files.ts')).campaignFilesRouter),
  steps: lazy(async () => (await import('./steps.ts')).stepsRouter),
  attachments: lazy(async () => (await import('./attachments.ts')).attachmentsRouter),
  rotations: lazy(async () => (await import('./rotations.ts')).rotationsRouter),
  calls: lazy(async () => (await import('./calls.ts')).callsRouter),
  templates: lazy(async () => (await import('./templates.ts')).templatesRouter),
  sending: lazy(async () => (await import('./sending.ts')).sendingRouter),
  calendar: lazy(async () => (await import('./calendar.ts')).calendarRouter),
  imports: lazy(async () => (await import('./imports.ts')).importsRouter),
  lists: lazy(async () => (await import('./lists.ts')).listsRouter),
  customFields: lazy(async () => (await import('./custom-fields.ts')).customFieldsRouter),
  suppressions: lazy(async () => (await import('./suppressions.ts')).suppressionsRouter),
  users: lazy(async () => (await import('./users.ts')).usersRouter),
  dailySummaries: lazy(async () => (await import('./daily-summaries.ts')).dailySummariesRouter),
  people: lazy(async () => (await import('./people.ts')).peopleRouter),
  keys: lazy(async () => (await import('./keys.ts')).keysRouter),
  shares: lazy(async () => (await import('./shares.ts')).sharesRouter),
  enrolments: lazy(async () => (await import('./enrolments.ts')).enrolmentsRouter),
  events: lazy(async () => (await import('./events.ts')).eventsRouter),
  reports: lazy(async () => (await import('./reports.ts')).reportsRouter),
  weeklyReports: lazy(async () => (await import('./weekly-reports.ts')).weeklyReportsRouter),
  reportLinks: lazy(async () => (await import('./report-links.ts')).reportLinksRouter),
  activity: lazy(async () => (await import('./activity.ts')).activityRouter),
  draft: lazy(async () => (await import('./draft.ts')).draftRouter),
  replies: lazy(async () => (await import('./replies.ts')).repliesRouter),
  webhooks: lazy(async () => (await import('./webhooks.ts')).webhooksRouter),
  outbox: lazy(async () => (await import('./outbox.ts')).outboxRouter),
  trash: lazy(async () => (await import('./trash.ts')).trashRouter),
  history: lazy(async () => (await import('./history.ts')).historyRouter),
  person: lazy(async () => (await import('./person.ts')).personRouter),
  live: lazy(async () => (await import('./live.ts')).liveRouter),
};

/** The procedures. Each resource is loaded on the first call to it: a command that lists campaigns doesn't need the code of webhooks. */
export const lazyRouter = router(resources);
