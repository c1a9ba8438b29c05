import { type RecordKind, scopedRecord } from '../access/index.ts';
import type { Account } from './entities.ts';

/** Audit entries omit secrets and the columns that connecting and sending maintain. */
export const ACCOUNT: RecordKind<Account> = {
  ...scopedRecord<Account>('Account', 'accounts'),
  unaudited: [
    ...(['smtp_secret', 'imap_secret', 'dkim_secret', 'token_expires_at', 'connected_at'] as const),
    ...(['paused_at', 'connection_failures', 'connect_after', 'connection_error', 'refusal_marks', 'ramp_started_on'] as const),
  ],
};
