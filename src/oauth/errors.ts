import { OutreachError } from '../core/errors.ts';

/** The provider has withdrawn its consent: only a person who signs in again helps. */
export class TokenRefused extends OutreachError {}

/** The provider could not be asked for a token, or did not know us: the mailbox itself is well, later may help. */
export class TokenUnavailable extends OutreachError {}
