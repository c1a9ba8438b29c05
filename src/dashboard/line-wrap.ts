const [ON, OFF] = ['\u001b[?7h', '\u001b[?7l'];

/**
 * Turns the wrapping of long lines by the terminal on or off (DECAWM, xterm's control sequences). Terminals draw some scripts wider than
 * measured, such as Devanagari: with wrapping on, such a line would shift the others.
 */
export const wrapLines = (isOn: boolean): void => void process.stdout.write(isOn ? ON : OFF);
