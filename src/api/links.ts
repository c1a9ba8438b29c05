import type { SchemaObject } from './examples.ts';
import type { Link, Operation } from './operation.ts';

/** An operation with its method and path. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation & { operationId: string };
}

/** An operation that may follow another. Its path is parsed once, because there are 60,000 pairs of operations. */
interface Target extends PlacedOperation {
  /** The names of its path parameters. */
  names: readonly string[];
  resource: string;
  /** The parts of the path below the resource. */
  below: readonly string[];
}

/** The response of an operation: the location of a record in its body, and the record's fields. */
interface Answer {
  at: string;
  fields: readonly string[];
}

const BODY = '$response.body#';
const FIRST_RECORD = `${BODY}/data/0`;

/** Links between operations that can't be derived from their paths. None has a body: openapi-generator's parser accepts only text there. */
const FURTHER_LINKS: readonly [from: string, to: string, taken?: Omit<Link, 'operationId'>][] = [
  ['access-me', 'users-get', { parameters: { id: `${BODY}/user_id` } }],
  ['access-workspace', 'users-list'],
  ['search-search', 'contacts-get', { parameters: { id: `${FIRST_RECORD}/id` } }],
  ['accountOverview-list', 'accounts-get', { parameters: { id: `${FIRST_RECORD}/id` } }],
  ['search-export', 'contacts-list'],
  ['customFields-list', 'customFields-delete', { parameters: { id: `${FIRST_RECORD}/id` } }],
  ['dailySummaries-getOwn', 'dailySummaries-setOwn'],
  ['weeklyReports-list', 'weeklyReports-set'],
  ['weeklyReports-set', 'weeklyReports-list'],
  ['contacts-batch', 'contacts-get', { parameters: { id: `${FIRST_RECORD}/id` } }],
  ['contacts-list', 'contacts-put', { parameters: { email: `${FIRST_RECORD}/email` } }],
  ['contacts-put', 'contacts-get', { parameters: { id: `${BODY}/id` } }],
  ['contacts-create', 'person-export', { parameters: { email: `${BODY}/email` } }],
  ['person-export', 'person-erase'],
  ['campaigns-copy', 'campaigns-get', { parameters: { id: `${BODY}/id` } }],
  ['campaignFiles-applyAll', 'campaigns-list'],
  ['attachments-upload', 'attachments-create'],
  ['calendar-read', 'accounts-list'],
  ['contacts-list', 'verification-verify'],
  ['reports-workspace', 'campaigns-list'],
  ['rotations-get', 'rotations-removeAccount', { parameters: { id: `${BODY}/id`, account_id: `${BODY}/members/0/account_id` } }],
  ['suppressions-add', 'suppressions-remove'],
  ['suppressions-addBatch', 'suppressions-list'],
  ['webhooks-deliveries', 'webhooks-redeliverOne', { parameters: { delivery_id: `${FIRST_RECORD}/id` } }],
  ['webhooks-eventTypes', 'webhooks-list'],
  ['trash-list', 'trash-restore'],
];

/**
 * Adds links to operations that can follow to the success responses of a document. Operations that create a record link to those that take its id
 * in the path. A list links to reading its records, or to all those operations if nothing creates its records. Operations that read a record link
 * to the records that it refers to by fields such as `campaign_id`.
 */
export function addLinks(operations: readonly PlacedOperation[], schemas: Readonly<Record<string, SchemaObject>>): void {
  const targets = operations.map(targetOf);
  const created = new Set(operations.flatMap(({ path, operation }) => (operation.responses[201] === undefined ? [] : [path])));
  for (const from of operations) {
    const links: Record<string, Link> = {};
    const add = (link: Link) => {
      links[nameOf(link, from.operation)] ??= link;
    };
    for (const [source, operationId, taken] of FURTHER_LINKS) if (source === from.operation.operationId) add({ operationId, ...taken });
    const answer = answerOf(from, schemas);
    if (answer !== undefined) for (const to of targets) for (const link of linksTo(to, from, answer, created.has(from.path))) add(link);
    if (Object.keys(links).length === 0) continue;
    for (const [status, response] of Object.entries(from.operation.responses)) if (status < '300') response.links = links;
  }
}

/** Returns the name of a link: `update` for `campaigns-update` after another operation on campaigns. */
const nameOf = ({ operationId }: Link, from: PlacedOperation['operation']) =>
  operationId.replace(from.operationId.replace(/[^-]+$/, ''), '');

function answerOf({ operation }: PlacedOperation, schemas: Readonly<Record<string, SchemaObject>>): Answer | undefined {
  const resolved = (schema: SchemaObject | undefined) =>
    schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  const success = Object.entries(operation.responses).find(([status]) => status < '300')?.[1];
  const body = resolved(success?.content?.['application/json']?.schema)?.properties;
  const item = resolved(body?.data?.items)?.properties;
  if (item !== undefined) return { at: FIRST_RECORD, fields: Object.keys(item) };
  return body === undefined ? undefined : { at: BODY, fields: Object.keys(body) };
}

function targetOf(operation: PlacedOperation): Target {
  const { path } = operation;
  const [resource = '', ...below] = path.slice(1).split('/');
  return { ...operation, resource, below, names: [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name) };
}

/** @param isCreated true if an operation with the path of `from` creates records */
function linksTo(to: Target, from: PlacedOperation, { at, fields }: Answer, isCreated: boolean): Link[] {
  const { operationId } = to.operation;
  const { names, resource, below } = to;
  const creates = from.operation.responses[201] !== undefined;
  const isSource = creates || (from.method === 'get' && (!isCreated || (to.method === 'get' && below.length === 1)));
  if (names.length === 1 && names[0] === 'id') {
    if (from.path === `/${resource}` && isSource && fields.includes('id')) return [{ operationId, parameters: { id: `${at}/id` } }];
    const reference = `${resource.slice(0, -1)}_id`;
    if (from.method === 'get' && to.method === 'get' && below.length === 1 && fields.includes(reference))
      return [{ operationId, parameters: { id: `${at}/${reference}` } }];
  }
  // An entry below a record: link from the list at the end of its path, or from the operation that creates entries of the list.
  if (names.length < 2) return [];
  const name = names.at(-1) ?? '';
  const field = fields.includes(name) ? name : 'id';
  const list = to.path.split(`/{${name}}`)[0];
  if (from.path !== list || !fields.includes(field) || (isCreated && !creates)) return [];
  const above = Object.fromEntries(names.slice(0, -1).map((each) => [each, `$request.path.${each}`]));
  return [{ operationId, parameters: { ...above, [name]: `${at}/${field}` } }];
}
