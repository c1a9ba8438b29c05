import { OutreachError } from '../core/errors.ts';

/** The provider no longer grants access. A person must sign in again. */
export class TokenRefused extends OutreachError {}

/** The provider could not be reached, or rejected our client. The account itself is fine, and a later attempt may succeed. */
export class TokenUnavailable extends OutreachError {}
