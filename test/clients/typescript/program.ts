import { client } from './outreach/client.gen';
import {
  campaignsCreate,
  contactsCreate,
  contactsDelete,
  contactsGet,
  contactsList,
  contactsUpdate,
  enrolmentsEnrol,
  enrolmentsList,
  eventsStats,
  stepsCreate,
} from './outreach/sdk.gen';

/** A contact in a campaign with one step, over the client that @hey-api/openapi-ts generates. Prints what it found as JSON. */
const { OUTREACH_API, OUTREACH_API_KEY, OUTREACH_ACCOUNT, CLIENT_NAME: name = '' } = process.env;
client.setConfig({ baseUrl: OUTREACH_API, auth: () => OUTREACH_API_KEY });
const throwOnError = true;

const { data: contact } = await contactsCreate({ throwOnError, body: { email: `${name}@example.org`, company: null } });
const { data: renamed } = await contactsUpdate({ throwOnError, path: { id: contact.id }, body: { name: 'Ada' } });
const { data: page } = await contactsList({ throwOnError, query: { email: contact.email } });
const { data: campaign } = await campaignsCreate({ throwOnError, body: { name, account_id: Number(OUTREACH_ACCOUNT) } });
const path = { id: campaign.id };
const { data: step } = await stepsCreate({ throwOnError, path, body: { subject: 'Hello', body_html: '<p>Hello</p>' } });
const { data: enrolled } = await enrolmentsEnrol({ throwOnError, path, body: { contact_ids: [contact.id] } });
const { data: enrolments } = await enrolmentsList({ throwOnError, path });
const { data: stats } = await eventsStats({ throwOnError, path });
const { error: missing } = await contactsGet({ path: { id: 999_999 } });
const { error: refused } = await contactsCreate({ body: { email: 'no address' } });
const { response: deleted } = await contactsDelete({ throwOnError, path: { id: contact.id } });
console.log(
  JSON.stringify({
    email: contact.email,
    name: renamed.name,
    company: renamed.company,
    total: page.pagination.total,
    campaign: campaign.status,
    step: step.step_order,
    enrolled: enrolled.enrolled,
    enrolment: enrolments.data[0]?.status,
    contacts: stats.contacts,
    sent: stats.sent,
    missing: missing?.error.code,
    refused: refused?.error.code,
    deleted: deleted.status,
  }),
);
