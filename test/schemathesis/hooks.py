"""Valid requests must be accepted, unless the refusal names what a schema can't say. Each such refusal is written to the file of
OUTREACH_REFUSALS, one JSON array of operation and message a line."""

import json
import os
import re
import uuid

import schemathesis
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import positive_data_acceptance

# References to records that are not there, or not in the state that the request needs.
STORED = re.compile(
    r"there is no (?:account|campaign|list|contact|user|step|webhook|template|column|field)\b"
    r"|no live sending account has (?:this|the) id|the sending account is archived or deleted"
    r"|must be the id of (?:a member|an admin or manager)"
    r"|must be an enabled user of this workspace"
    r"|the campaign has no (?:step|email step|contact|enrolled contact)"
    r"|step 1 can't be a call"
    r"|step_order: must be from 1 to \d+"
    r"|unknown key \""
    r"|no account sends from|is not the mailbox of|there is no uploaded file"
)
# Rules about two fields, or about a field and the present time, and the grammar of searches.
BEYOND_SCHEMAS = re.compile(
    r"must (?:be later than|be earlier than|differ from|not be before) |must be in the future|are kept for \d+ days?|would get two copies"
    r"|give both or neither|give one of them|give body or text, not both|give contact_ids or list_ids|give either contact_ids or q|is required for a new campaign|a call has notes only"
    r"|must be another campaign|is (?:required|only) for the cause label|names an account twice|give contact_ids, search or both|needs a body, a text or a call|needs a subject or a body"
)
# Characters of a domain as name servers know it (RFC 1035, 2.3.4), with letters beyond ASCII in Punycode; schemas count those that are written.
MAX_DOMAIN = 253
SEARCHES = {"GET /contacts/search", "GET /contacts/export"}

# What an operation that follows another takes of its response into its body. The document can't say it: the parser of openapi-generator
# takes text alone for the body of a link. A file goes to the step of the examples, which no upload names.
BODIES = {
    ("attachments-upload", "attachments-create"): ["sha256", "name"],
    ("person-export", "person-erase"): ["email"],
    ("suppressions-add", "suppressions-remove"): ["email"],
    ("trash-list", "trash-restore"): ["data/0/type", "data/0/id"],
    ("weeklyReports-list", "weeklyReports-set"): ["data/0/user_id"],
}

# The id of our own user and key, by the first part of a path.
OWN = json.loads(os.environ["OUTREACH_OWN"])


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    links = [
        (operation["operationId"], link)
        for operations in raw_schema["paths"].values()
        for operation in operations.values()
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    for (source, target), places in BODIES.items():
        [found] = [link for operation, link in links if operation == source and link.get("operationId") == target]
        if source == "attachments-upload":
            found["parameters"] = {"id": 7, "step_id": 11}
        found["requestBody"] = {place.split("/")[-1]: f"$response.body#/{place}" for place in places}


def keep_links_going(case):
    """A list that is filtered at random is empty, and no record follows from it. An address at random is nobody's. A response that is repeated for a
    key that another request had names a record that may be gone."""
    required = {parameter.name for parameter in case.operation.query if parameter.is_required}
    if case.method == "GET" and case.query:
        case.query = {name: value for name, value in case.query.items() if name in required}
    if case.operation.label == "GET /person":
        case.query = {"email": "grace@example.org"}
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    """An ETag that nobody read names no state: with it, a write would be refused with 412. Any state would make a read answer 304, without a body.
    Nobody takes their own rights away: ids come from earlier responses too, and without rights every further request is refused."""
    # With a change here, schemathesis would send the header that this case leaves out.
    if case.meta and case.meta.phase.data.description == "Missing `Authorization` at header":
        return
    if case.meta and case.meta.phase.name == TestPhase.STATEFUL and case.meta.generation.mode.is_positive:
        keep_links_going(case)
    own = OWN.get(case.operation.path.split("/")[1])
    if own is not None and case.method != "GET" and str(case.path_parameters.get("id")) == str(own):
        case.path_parameters["id"] = 1
    if case.headers and "If-Match" in case.headers:
        case.headers["If-Match"] = "*"
    if case.headers and "If-None-Match" in case.headers:
        case.headers["If-None-Match"] = '"none"'


def has_long_domain(body):
    """True if the address of a request is refused for its domain, which is too long once it is in Punycode."""
    email = body.get("email") if isinstance(body, dict) else None
    labels = email.rsplit("@", 1)[-1].split(".") if isinstance(email, str) else []
    return sum(len(label if label.isascii() else f"xn--{label.encode('punycode').decode()}") + 1 for label in labels) - 1 > MAX_DOMAIN


@schemathesis.check
def valid_request_acceptance(ctx, response, case):
    if response.status_code == 400 and case.meta and case.meta.generation.mode.is_positive:
        message = response.json()["error"]["message"]
        is_beyond = STORED.search(message) or BEYOND_SCHEMAS.search(message)
        if case.operation.label in SEARCHES or is_beyond or (message.startswith("email: ") and has_long_domain(case.body)):
            with open(os.environ["OUTREACH_REFUSALS"], "a", encoding="utf-8") as refusals:
                refusals.write(json.dumps([case.operation.label, message]) + "\n")
            return None
    return positive_data_acceptance(ctx, response, case)
