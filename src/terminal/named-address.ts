/** An address with the name of its person, as emails have it; alone where no name is known. */
export const namedAddress = (name: string, email: string): string => (name === '' ? email : `${name} <${email}>`);
