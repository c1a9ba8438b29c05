/** Formats an address with a display name, as in emails; without a name, the address alone. */
export const namedAddress = (name: string, email: string): string => (name === '' ? email : `${name} <${email}>`);
