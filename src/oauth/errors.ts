import { OutreachError } from '../core/errors.ts';

/** The provider has withdrawn its consent: a person must sign in again. */
export class TokenRefused extends OutreachError {}

/** The provider could not be reached or rejected our client: the account itself is fine, a later attempt may succeed. */
export class TokenUnavailable extends OutreachError {}
