const [ON, OFF] = ['\u001b[?7h', '\u001b[?7l'];

/**
 * Turns the wrapping of long lines by the terminal on or off (DECAWM, xterm's control sequences). Terminals draw some scripts wider than
 * they are measured, Devanagari among them: with it on, such a line would push the others off their places.
 */
export const wrapLines = (isOn: boolean): void => void process.stdout.write(isOn ? ON : OFF);
