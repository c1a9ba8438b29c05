import { stateColor } from './states.ts';

/** The look of the column of a field. */
interface ColumnLook {
  heading: string;
  /** Order in which columns are left out on a narrow terminal: the highest first. */
  rank: number;
  /** True if its texts may be cut. */
  canShrink: boolean;
  isTime: boolean;
  isAddress: boolean;
  /** True if its cells are aligned to the right. */
  isNumber(rows: readonly object[]): boolean;
  /** The colour of a cell. */
  colorOf(text: string): 'green' | 'yellow' | 'red' | 'gray' | 'cyan' | undefined;
}

const STATES = new Set(['status', 'state', 'account_status', 'outcome']);
const TIMES = /(^at|_at|^until|^timestamp)$/;
/** Fields that identify a record: the last that are left out. */
const NAMES = new Set([
  'id',
  'name',
  'email',
  'from',
  'account_email',
  'subject',
  'url',
  'status',
  'state',
  'snippet',
  'contact_id',
  'recipient',
  'campaign_name',
  'next_send_at',
  'why',
  'phone',
]);
const ADDRESSES = new Set(['email', 'from', 'recipient', 'account_email']);
/** Fields that are seldom looked for in a list. */
const DETAILS = new Set([
  ...[
    'created_at',
    'updated_at',
    'is_archived',
    'is_shared_to_all',
    'is_default',
    'workspace_id',
    'workspace_name',
    'pending_invite',
    'disabled',
    'timezone',
  ],
  ...[
    'may_ask_to_be_removed',
    'subject_b',
    'attachments',
    'signature',
    'ip',
    'machine_opened',
    'auto_replied',
    'tags',
    'uid',
    'attempt',
    'attempts',
  ],
  ...['field_type', 'revoked_at', 'expires_at', 'prefix', 'account_id', 'reasons', 'is_leaving', 'starts_at'],
]);
/** Texts that can't be cut without losing what they say. */
const WHOLE = new Set(['id', 'contact_id', 'campaign_id', 'status', 'state', 'account_status', 'role', 'step_order', 'variant', 'code']);

/** Headings that the name of the field does not give. */
const HEADINGS: Readonly<Record<string, string>> = {
  account_email: 'ACCOUNT',
  at: 'TIME',
  bounce_rate: 'BOUNCED',
  campaign_name: 'CAMPAIGN',
  contact_id: 'CONTACT',
  campaign_id: 'CAMPAIGN',
  consecutive_failures: 'FAILURES',
  every_seconds: 'EVERY',
  is_shared_to_all: 'SHARED',
  last_polled_at: 'POLLED',
  limit_today: 'LIMIT',
  may_ask_to_be_removed: 'REMOVE?',
  pause_reason: 'PAUSED BY',
  pending_invite: 'INVITED',
  current_step: 'STEP',
  step_order: 'STEP',
  transmitting_at: 'SENT',
  workspace_name: 'WORKSPACE',
};

const looks = new Map<string, ColumnLook>();

/** The look of the column of a field, by its name: the same everywhere. */
export function columnOf(name: string): ColumnLook {
  const known = looks.get(name) ?? lookOf(name);
  looks.set(name, known);
  return known;
}

function lookOf(name: string): ColumnLook {
  const isTime = TIMES.test(name);
  const words = name
    .replace(/^is_/, '')
    .replace(/(?<=.)_at$/, '')
    .replace(/(?<=.)_count$/, 's')
    .replaceAll('_', ' ');
  return {
    heading: HEADINGS[name] ?? words.toUpperCase(),
    rank: NAMES.has(name) ? 0 : DETAILS.has(name) ? 2 : 1,
    canShrink: !isTime && !WHOLE.has(name),
    isTime,
    isAddress: ADDRESSES.has(name),
    isNumber: (rows) => !/(^|_)id$/.test(name) && rows.some((row) => typeof (row as Record<string, unknown>)[name] === 'number'),
    colorOf: (text) => (STATES.has(name) ? stateColor(text.replace(/^\W+ /, '')) : undefined),
  };
}

/** True for a field that is the state of a record, which has a sign and a colour. */
export const isState = (name: string): boolean => STATES.has(name);
