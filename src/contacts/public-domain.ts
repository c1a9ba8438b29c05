/** Mailbox providers, at whose domains strangers have their addresses: who writes from there is nobody's colleague. */
const PUBLIC =
  /^((gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|proton|protonmail|pm|mail|yandex|ya|qq|163|126|sina|foxmail|zoho|fastmail|orange|free|wanadoo|libero|tiscali|t-online|freenet|comcast|att|verizon|naver|daum|hanmail|rediffmail)\.|posteo\.)/i;

/** Whether people who have nothing to do with each other share the domain. */
export const isPublicDomain = (domain: string): boolean => PUBLIC.test(domain);
