import { escapeHtml, type HtmlPage, htmlPage } from '../html/page.ts';

/** The texts of the pages in one language. */
interface Texts {
  title: string;
  question(address: string, sender: string): string;
  button: string;
  doneTitle: string;
  done: string;
  unknownTitle: string;
  unknown: string;
}

const TEXTS: Record<string, Texts> = {
  en: {
    title: 'Unsubscribe',
    question: (address, sender) => `Stop all email from ${sender} to ${address}?`,
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    done: 'No more email will be sent to your address.',
    unknownTitle: 'This link is not complete',
    unknown: 'Please open it from the email again, or reply to the email and ask to get no more emails.',
  },
  de: {
    title: 'Abmelden',
    question: (address, sender) => `Keine weiteren E-Mails von ${sender} an ${address}?`,
    button: 'Abmelden',
    doneTitle: 'Sie sind abgemeldet',
    done: 'An Ihre Adresse werden keine weiteren E-Mails gesendet.',
    unknownTitle: 'Dieser Link ist nicht vollständig',
    unknown: 'Bitte öffnen Sie ihn noch einmal aus der E-Mail, oder antworten Sie, dass Sie keine weiteren E-Mails möchten.',
  },
  fr: {
    title: 'Se désabonner',
    question: (address, sender) => `Ne plus recevoir d’e-mails de ${sender} à l’adresse ${address} ?`,
    button: 'Se désabonner',
    doneTitle: 'Vous êtes désabonné',
    done: 'Plus aucun e-mail ne sera envoyé à votre adresse.',
    unknownTitle: 'Ce lien est incomplet',
    unknown: 'Ouvrez-le de nouveau depuis l’e-mail, ou répondez que vous ne souhaitez plus en recevoir.',
  },
  es: {
    title: 'Darse de baja',
    question: (address, sender) => `¿No recibir más correos de ${sender} en ${address}?`,
    button: 'Darse de baja',
    doneTitle: 'Se ha dado de baja',
    done: 'No se enviarán más correos a su dirección.',
    unknownTitle: 'Este enlace no está completo',
    unknown: 'Ábralo de nuevo desde el correo, o responda que no desea recibir más.',
  },
};

export const LANGUAGES = Object.keys(TEXTS);

const textsIn = (language: string): Texts => TEXTS[language] ?? (TEXTS.en as Texts);

/** Returns the page that asks for confirmation. Opening it changes nothing, because mail scanners follow links. Its button sends a POST. */
export function questionPage(language: string, { address, sender }: { address: string; sender: string }): HtmlPage {
  const texts = textsIn(language);
  return htmlPage(
    texts.title,
    `<p>${escapeHtml(texts.question(address, sender))}</p>\n<form method="post"><button type="submit">${escapeHtml(texts.button)}</button></form>`,
    { language },
  );
}

export function donePage(language: string): HtmlPage {
  const texts = textsIn(language);
  return htmlPage(texts.doneTitle, `<p role="status">${escapeHtml(texts.done)}</p>`, { language });
}

export function unknownLinkPage(language: string): HtmlPage {
  const texts = textsIn(language);
  return htmlPage(texts.unknownTitle, `<p>${escapeHtml(texts.unknown)}</p>`, { language });
}
