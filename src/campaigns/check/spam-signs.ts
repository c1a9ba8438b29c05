/** Hosts that shorten URLs, which filters distrust because they hide the target. */
const SHORTENERS =
  /\bhttps?:\/\/(?:www\.)?(?:bit\.ly|buff\.ly|cutt\.ly|goo\.gl|is\.gd|ow\.ly|rebrand\.ly|t\.co|t\.ly|tiny\.cc|tinyurl\.com)\//i;

/** Signs in a subject and an HTML body that spam filters count against an email, as sentences without a full stop. */
export function spamSigns(subject: string, html: string): string[] {
  const letters = subject.replaceAll(/\{\{[^{}]*\}\}|[^\p{L}]/gu, '');
  const text = html.replaceAll(/<[^<>]*>|\s|&nbsp;/gi, '');
  return [
    ...(letters.length >= 8 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
      ? ['the subject is in capitals']
      : []),
    ...(/[!?]{2}|[$€£]{2}/.test(subject) ? ['the subject repeats punctuation or currency signs'] : []),
    ...(/^\s*(?:re|fwd?|aw|wg)\s*:/i.test(subject) ? ['the subject pretends to be a reply'] : []),
    ...(SHORTENERS.test(html) ? ['a link goes through a URL shortener'] : []),
    ...(/<img\b/i.test(html) && text.length < 20 ? ['the body is an image with almost no text'] : []),
    ...(/<(?:form|script|iframe|object|embed)\b/i.test(html) ? ['the body has a form, script or frame'] : []),
  ];
}
