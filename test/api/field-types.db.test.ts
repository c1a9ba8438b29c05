import { describe, expect, it } from 'vitest';
import { operationsOf, type Schema } from '../support/openapi.ts';
import { servedInstallation } from '../support/served.ts';

const { url } = await servedInstallation();
const { operations, components } = await operationsOf(url);

/**
 * Each record of the specification with the types of its fields: `?` may be null, `[]` is an array, `|` separates the
 * words of a closed list. Timestamps are strings of a pattern of their own.
 */
const RECORDS: Record<string, [path: string, fields: string]> = {
  Campaign: [
    '/campaigns/{id}',
    `id:integer name:string status:draft|active|paused|completed account_id:integer account_email:string reply_to:string?
     reply_to_connected:boolean timezone:string sending_days:integer[] sending_hour_start:integer sending_hour_end:integer
     ab_test_enabled:boolean ab_split_percent:integer sending_hour_start_b:integer? sending_hour_end_b:integer?
     starts_at:timestamp? is_archived:boolean is_shared_to_all:boolean step_count:integer contact_count:integer
     created_at:timestamp updated_at:timestamp`,
  ],
  'Campaign step': [
    '/campaigns/{id}/steps',
    'id:integer step_order:integer subject:string body_html:string subject_b:string? body_html_b:string? wait_days:integer kind:email|call',
  ],
  'Enrolment record': [
    '/campaigns/{id}/contacts',
    `contact_id:integer name:string email:string status:active|replied|stopped|bounced|completed current_step:integer
     next_send_at:timestamp?`,
  ],
  'Per-contact campaign listing': [
    '/contacts/{id}/campaigns',
    `campaign_id:integer campaign_name:string status:active|replied|stopped|bounced|completed current_step:integer
     next_send_at:timestamp?`,
  ],
  'Event record of the global feed': [
    '/events',
    `id:integer campaign_id:integer contact_id:integer type:sent|opened|clicked|replied|bounced|failed|enrolled|unsubscribed
     step_order:integer url:string? timestamp:timestamp (contact:object)`,
  ],
  'Event record of a campaign': [
    '/campaigns/{id}/events',
    `id:integer contact_id:integer type:sent|opened|clicked|replied|bounced|failed|enrolled|unsubscribed
     step_order:integer url:string? timestamp:timestamp`,
  ],
  'Campaign stats': [
    '/campaigns/{id}/stats',
    'contacts:integer steps:integer sent:integer opened:integer clicked:integer replied:integer bounced:integer failed:integer',
  ],
  Contact: [
    '/contacts/{id}',
    `id:integer name:string email:string company:string? custom_fields:object is_archived:boolean is_shared_to_all:boolean
     created_at:timestamp updated_at:timestamp`,
  ],
  List: ['/lists/{id}', 'id:integer name:string contact_count:integer created_at:timestamp updated_at:timestamp?'],
  'Member record': ['/lists/{id}/members', 'contact_id:integer name:string email:string'],
  'Custom field': [
    '/custom-fields',
    'id:integer name:string key:string field_type:text|number|email|phone|url|date|datetime|boolean created_at:timestamp',
  ],
  Suppression: ['/suppressions', 'id:integer email:string reason:string? created_at:timestamp'],
  Template: [
    '/templates/{id}',
    `id:integer name:string type:template|signature subject:string? body_html:string is_archived:boolean
     is_shared_to_all:boolean created_at:timestamp updated_at:timestamp`,
  ],
  'Sending account': [
    '/accounts/{id}',
    `id:integer provider:smtp|google|microsoft email:string from_name:string status:active|paused|disconnected
     daily_send_limit:integer timezone:string send_window_start_hour:integer send_window_end_hour:integer
     send_batch_min:integer send_batch_max:integer send_batch_interval_minutes:integer
     pause_reason:manual|provider_limit|provider_error? pause_message:string? is_archived:boolean connected_at:timestamp`,
  ],
  'Share record': ['/contacts/{id}/shares', 'user_id:integer name:string email:string granted_by:integer? granted_at:timestamp'],
  User: [
    '/users/{id}',
    'id:integer name:string email:string role:admin|manager|view_only disabled:boolean pending_invite:boolean created_at:timestamp',
  ],
  'GET /me': ['/me', 'user_id:integer name:string email:string role:admin|manager|view_only api_key_id:integer'],
  Workspace: [
    '/workspace',
    `id:integer name:string is_default:boolean role:admin|manager|view_only timezone:string? positive_labels:string[]
     created_at:timestamp updated_at:timestamp`,
  ],
};

const resolved = (schema: Schema): Schema => (schema?.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema);

/** Formats a schema in the notation of the table above. */
function typeOf(reference: Schema): string {
  const schema = resolved(reference);
  const alternatives: Schema[] = schema.anyOf ?? [];
  if (alternatives.length > 0) {
    const [one, ...others] = alternatives.filter(({ type }) => type !== 'null');
    expect(others).toEqual([]);
    return `${typeOf(one)}?`;
  }
  if (Array.isArray(schema.type)) return `${typeOf({ ...schema, type: schema.type[0] })}${schema.type.includes('null') ? '?' : ''}`;
  if (schema.enum) return schema.enum.join('|');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  return schema.pattern?.includes('\\d{4}-\\d\\d-\\d\\d \\d\\d:') ? 'timestamp' : schema.type;
}

describe('Types of the fields of each resource, as the document says them, by which every answer is checked', () => {
  it.each(Object.entries(RECORDS))('%s', (_name, [path, fields]) => {
    const answer = resolved(operations.find((operation) => operation.method === 'GET' && operation.path === path)?.responses['200']);
    const record = resolved(answer.properties.data?.items ?? answer);
    // A field in parentheses is present only if a request asks for it; the others are never missing.
    const types = Object.entries<Schema>(record.properties).map(([field, schema]) =>
      record.required.includes(field) ? `${field}:${typeOf(schema)}` : `(${field}:${typeOf(schema)})`,
    );
    expect(types.toSorted()).toEqual(fields.split(/\s+/).toSorted());
  });
});
