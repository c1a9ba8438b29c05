import type { Caller } from '../../access/index.ts';
import {
  type AccountRow,
  type AccountTest,
  type ConnectRequest,
  connectAccount,
  connectInput,
  getAccount,
  testAccount,
} from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { resumeAccount } from './account-lifecycle.ts';

/** The result of a test of an account. */
export interface TestedAccount extends AccountTest {
  account_id: number;
  email: string;
  /** True if both logins succeeded. */
  ok: boolean;
  /** True if the test ended a pause for a provider error. */
  resumed: boolean;
}

const isPausedByProvider = ({ status, pause_reason, is_archived }: AccountRow): boolean =>
  status === 'paused' && pause_reason === 'provider_error' && !is_archived;

/**
 * Connects or reconnects an account. If it was paused for a provider error, resumes it and its campaigns, because both logins have just
 * succeeded. Throws like `connectInput` and `connectAccount`.
 */
export async function connectSendingAccount(app: App, caller: Caller, request: ConnectRequest): Promise<AccountRow> {
  const connected = await connectAccount(app, caller, await connectInput(app, caller, request));
  return isPausedByProvider(connected) ? resumeAccount(app, caller, connected.id) : connected;
}

/** Logs in to the servers of an account; success ends a pause for a provider error. Throws `not_found`. */
export async function testSendingAccount(app: App, caller: Caller, id: number): Promise<TestedAccount> {
  const tested = await testAccount(app, caller, id);
  const ok = tested.smtp.problem === null && (tested.imap?.problem ?? null) === null;
  const account = await getAccount(app.db, caller, id);
  const resumed = ok && isPausedByProvider(account);
  if (resumed) await resumeAccount(app, caller, id);
  return { account_id: id, email: account.email, ok, ...tested, resumed };
}
