/** Lines at which what somebody else wrote begins: quotes, forwarded headers, signatures. */
const QUOTE_STARTS = [
  /^\s*>/,
  /^\s*-{2,}\s*(original message|ursprüngliche nachricht|message d.origine|mensaje original|forwarded|weitergeleitet)/i,
  /^\s*_{5,}/,
  /^-- ?$/,
  /^\s*(on|am|le|el|il|op|em|den)\b.{5,200}\b(wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\s*:?\s*$/i,
  /^\s*(from|von|de|da|van|från)\s*:\s*.{3,200}$/i,
  /^\s*sent from my /i,
];

/** What the sender of a message wrote, without what it quotes and without the signature. */
export function ownText(text: string): string {
  const lines = text.replaceAll('\r', '').split('\n');
  const end = lines.findIndex((line, index) =>
    QUOTE_STARTS.some(
      (pattern) => pattern.test(line) || (index + 1 < lines.length && line.length < 150 && pattern.test(`${line} ${lines[index + 1]}`)),
    ),
  );
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim();
}

const REQUESTS =
  /^(please |kindly |hi,? |hello,? |bitte )*(unsubscribe( me)?|remove( me| my (address|e?-?mail( address)?))?( from (your|this|the)( mailing| e?-?mail)? list)?|(please )?stop( (sending|e-?mailing|contacting|writing)( me| to me)?( (e?-?mails?|messages|this))?)?|opt[ -]?out|take me off( your| this)? list|do not (contact|e-?mail|write( to)?) me( again| any ?more)?|don.t (contact|e-?mail|write( to)?) me( again| any ?more)?|no more (e?-?mails?|messages)|abmelden|austragen|bitte (abmelden|austragen|keine (weiteren )?(e-?)?mails?( mehr)?)|keine (weiteren )?(e-?)?mails?( mehr)?( bitte)?|désabonne[rz]?( moi|-moi)?|désinscri(re|vez-moi)|me désinscrire|ne (me contactez|m.écrivez) plus|retirez-moi( de (votre|la) liste)?|baja|darme de baja|dar de baja|cancelar (la )?suscripción|no me (escriba|contacte)n? más|cancella(mi|temi)( dalla lista)?|disiscrivi(mi)?|uitschrijven|afmelden|verwijder mij|descadastrar|退订|取消订阅|配信停止)( please| bitte| thanks?| thank you| danke| merci| gracias)*[.!\s]*$/i;

const MAX_WORDS = 25;

/** Whether somebody asks to get no more mail: their own text says little else. */
export function isRemovalRequest(subject: string, text: string): boolean {
  const own = ownText(text);
  if (/^unsubscribe\b/i.test(subject.trim()) && own.split(/\s+/).length <= MAX_WORDS) return true;
  if (own === '' || own.split(/\s+/).length > MAX_WORDS) return false;
  const sentences = own
    .split(/[.!\n]+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  return sentences.slice(0, 3).some((sentence) => REQUESTS.test(sentence.replace(/,\s*$/, '')));
}
