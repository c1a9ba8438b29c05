"""A contact in a campaign with one step, over the client that openapi-python-client generates. Prints what it found as JSON."""

import json
import os

from outreach_client import AuthenticatedClient
from outreach_client.api.campaign_events_and_stats import events_stats
from outreach_client.api.campaigns import campaigns_create
from outreach_client.api.contacts import contacts_create, contacts_delete, contacts_get, contacts_list, contacts_update
from outreach_client.api.enrolment import enrolments_enrol, enrolments_list
from outreach_client.api.steps import steps_create
from outreach_client.models import (
    CampaignsCreateBody,
    ContactsCreateBody,
    ContactsUpdateBody,
    EnrolmentsEnrolBody,
    StepsCreateBody,
)

client = AuthenticatedClient(base_url=os.environ["OUTREACH_API"], token=os.environ["OUTREACH_API_KEY"])
name = os.environ["CLIENT_NAME"]
contact = contacts_create.sync(client=client, body=ContactsCreateBody(email=f"{name}@example.org", company=None))
renamed = contacts_update.sync(contact.id, client=client, body=ContactsUpdateBody(name="Ada"))
page = contacts_list.sync(client=client, email=contact.email)
account = int(os.environ["OUTREACH_ACCOUNT"])
campaign = campaigns_create.sync(client=client, body=CampaignsCreateBody(name=name, account_id=account))
step = steps_create.sync(campaign.id, client=client, body=StepsCreateBody(subject="Hello", body_html="<p>Hello</p>"))
enrolled = enrolments_enrol.sync(campaign.id, client=client, body=EnrolmentsEnrolBody(contact_ids=[contact.id]))
enrolments = enrolments_list.sync(campaign.id, client=client)
stats = events_stats.sync(campaign.id, client=client)
missing = contacts_get.sync(999_999, client=client)
refused = contacts_create.sync(client=client, body=ContactsCreateBody(email="no address"))
deleted = contacts_delete.sync_detailed(contact.id, client=client)
print(
    json.dumps(
        {
            "email": contact.email,
            "name": renamed.name,
            "company": renamed.company,
            "total": page.pagination.total,
            "campaign": campaign.status,
            "step": step.step_order,
            "enrolled": enrolled.enrolled,
            "enrolment": enrolments.data[0].status,
            "contacts": stats.contacts,
            "sent": stats.sent,
            "missing": missing.error.code,
            "refused": refused.error.code,
            "deleted": deleted.status_code,
        }
    )
)
