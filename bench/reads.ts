import { type Caller, listUsers } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { campaignSearch, campaignStats, listCampaignsOfContact, listEnrolments } from '../src/campaigns/index.ts';
import { getContact, listContacts, listMembers, listSuppressions } from '../src/contacts/index.ts';
import { searchContacts } from '../src/contacts/search/index.ts';
import { listCampaignEvents, listEvents } from '../src/events/index.ts';
import type { SeededWorkspace } from './seed-workspace.ts';

/** A read of a large table by the API, for one caller in one workspace. */
export type Read = (app: App, caller: Caller, workspace: SeededWorkspace) => Promise<unknown>;

const FIRST = { limit: 50, offset: 0 };

const contacts =
  (filter: { q?: string; archived?: boolean }, offset = 0): Read =>
  (app, caller) =>
    listContacts(app.db, caller, { archived: false, ...filter }, { limit: 50, offset });
const onList =
  (index: number): Read =>
  (app, caller, { lists }) =>
    listContacts(app.db, caller, { archived: false, list_id: lists[index] }, FIRST);
/** @param share of the contacts that the page comes after */
const search =
  (query: string, share = 0): Read =>
  (app, caller, { contacts: count }) =>
    searchContacts(app, caller, query, { ...FIRST, offset: Math.floor(count * share) }, campaignSearch);
const feed =
  (filter: Parameters<typeof listEvents>[2], offset = 0): Read =>
  (app, caller) =>
    listEvents(app.db, caller, filter, { limit: 50, offset });
const middle = ({ firstContact, contacts: count }: SeededWorkspace) => firstContact + Math.floor(count / 2);
const first = ({ campaigns: [id = 0] }: SeededWorkspace) => id;
const lastPage = ({ contacts: count }: SeededWorkspace) => Math.max(0, Math.floor(count * 0.95) - 50);
const aDay = (app: App, daysAgo: number) => new Date(app.clock.now().getTime() - daysAgo * 86_400_000);

/** The reads, by the file for their plans, then by name. */
export const READS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  contacts: {
    'one contact': (app, caller, workspace) => getContact(app.db, caller, middle(workspace)),
    'first page': contacts({}),
    'half way': (app, caller, workspace) => contacts({}, Math.floor(workspace.contacts / 2))(app, caller, workspace),
    'last page': (app, caller, workspace) => contacts({}, lastPage(workspace))(app, caller, workspace),
    'archived, first page': contacts({ archived: true }),
    'q rare': contacts({ q: 'f1e2d' }),
    'q common': contacts({ q: 'ada' }),
    'q of two letters': contacts({ q: 'zq' }),
    'list of a tenth': onList(0),
    'list of a thousandth': onList(1),
    'list of five': onList(2),
    'members of a list, far in': (app, caller, { lists: [list = 0], contacts: count }) =>
      listMembers(app.db, caller, list, { limit: 50, offset: Math.floor(count / 20) }),
    'members of a list': (app, caller, { lists: [list = 0] }) => listMembers(app.db, caller, list, FIRST),
    'campaigns of a contact': (app, caller, workspace) => listCampaignsOfContact(app, caller, middle(workspace)),
    suppressions: (app, caller) => listSuppressions(app.db, caller, FIRST),
    'suppressions, far in': (app, caller, { contacts: count }) => listSuppressions(app.db, caller, { limit: 50, offset: count / 20 }),
    users: (app, caller) => listUsers(app.db, caller),
  },
  search: {
    'created:<300d, half way': search('created:<300d', 1 / 2),
    ...Object.fromEntries(
      [
        'ada',
        'zebra',
        'name:f1e2d',
        'name:ada',
        'email:seed-4242',
        'company:"Company 777"',
        'domain:a1f.example',
        'domain:*.example',
        'id:>10',
        'list:Some',
        'list:Many',
        'list_id:1',
        'campaign:"Campaign 1"',
        'campaign:"Campaign 1" status:replied',
        'status:bounced',
        'status:active',
        'step:3',
        'replied:true',
        'replied:>30d',
        'clicked:<300d',
        'opened:true',
        'opened:false',
        'sent:true opened:false',
        'sent:2000-01-01..2000-02-01',
        'contacted:>12d',
        'last_sent:<9d',
        'next_send:<7d',
        'created:>7d',
        'updated:<700d',
        'owner:me',
        'is:suppressed',
        'suppressed:false',
        'archived:true',
        'shared:false',
        'cf.city:"City 77"',
        'cf.score:>97',
        'cf.renewal:2026-01-05',
        'has:company -replied:true created:>30d',
        'name:f1e2d OR replied:>20d',
      ].map((query) => [query, search(query)]),
    ),
  },
  events: {
    'first page': feed({}),
    'a million in': (app, caller, { events }) => listEvents(app.db, caller, {}, { limit: 50, offset: events / 10 }),
    'half way': (app, caller, { events }) => listEvents(app.db, caller, {}, { limit: 50, offset: Math.floor(events / 2) }),
    'type replied': feed({ type: 'replied' }),
    'type failed': feed({ type: 'failed' }),
    'one campaign': (app, caller, workspace) => listEvents(app.db, caller, { campaignId: first(workspace) }, FIRST),
    'one campaign, type clicked': (app, caller, workspace) => listCampaignEvents(app.db, caller, first(workspace), 'clicked', FIRST),
    'one contact': (app, caller, workspace) => listEvents(app.db, caller, { contactId: middle(workspace) }, FIRST),
    'one contact and campaign': (app, caller, workspace) =>
      listEvents(app.db, caller, { contactId: middle(workspace), campaignId: first(workspace) }, FIRST),
    'since ten days': (app, caller) => listEvents(app.db, caller, { since: aDay(app, 10) }, FIRST),
    'since 200 days': (app, caller) => listEvents(app.db, caller, { since: aDay(app, 200) }, FIRST),
    'since 200 days, one campaign, type replied': (app, caller, workspace) =>
      listEvents(app.db, caller, { since: aDay(app, 200), campaignId: first(workspace), type: 'replied' }, FIRST),
    'statistics of a campaign': (app, caller, workspace) => campaignStats(app.db, caller, first(workspace)),
  },
  campaigns: {
    'who is enrolled': (app, caller, workspace) => listEnrolments(app, caller, first(workspace), FIRST),
    'who is enrolled, far in': (app, caller, workspace) =>
      listEnrolments(app, caller, first(workspace), { limit: 50, offset: Math.floor(workspace.contacts / 11) }),
  },
};
