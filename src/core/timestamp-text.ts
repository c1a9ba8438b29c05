/** An instant as the API writes it: UTC, `YYYY-MM-DD HH:MM:SS`. */
export const formatTimestamp = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ');

/** The instant of a timestamp of the API, to the second; an invalid date for any other text. */
export const parseTimestamp = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`);
