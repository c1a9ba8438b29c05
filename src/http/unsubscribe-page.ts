import { escapeHtml, type HtmlPage, htmlPage } from '../html/page.ts';

/** The words of the page in one language. */
interface Words {
  title: string;
  question(address: string): string;
  button: string;
  doneTitle: string;
  done: string;
  unknownTitle: string;
  unknown: string;
}

const WORDS: Record<string, Words> = {
  en: {
    title: 'Unsubscribe',
    question: (address) => `No more mail to ${address}?`,
    button: 'Unsubscribe',
    doneTitle: 'You are unsubscribed',
    done: 'No more mail will be sent to your address.',
    unknownTitle: 'This link is not complete',
    unknown: 'Please open it again from the mail, or answer the mail and say that you want no more.',
  },
  de: {
    title: 'Abmelden',
    question: (address) => `Keine weiteren E-Mails an ${address}?`,
    button: 'Abmelden',
    doneTitle: 'Sie sind abgemeldet',
    done: 'An Ihre Adresse werden keine weiteren E-Mails gesendet.',
    unknownTitle: 'Dieser Link ist nicht vollständig',
    unknown: 'Bitte öffnen Sie ihn noch einmal aus der E-Mail, oder antworten Sie, dass Sie keine weiteren E-Mails möchten.',
  },
  fr: {
    title: 'Se désabonner',
    question: (address) => `Ne plus envoyer d’e-mails à ${address} ?`,
    button: 'Se désabonner',
    doneTitle: 'Vous êtes désabonné',
    done: 'Plus aucun e-mail ne sera envoyé à votre adresse.',
    unknownTitle: 'Ce lien est incomplet',
    unknown: 'Ouvrez-le de nouveau depuis l’e-mail, ou répondez que vous ne souhaitez plus en recevoir.',
  },
  es: {
    title: 'Darse de baja',
    question: (address) => `¿No enviar más correos a ${address}?`,
    button: 'Darse de baja',
    doneTitle: 'Se ha dado de baja',
    done: 'No se enviarán más correos a su dirección.',
    unknownTitle: 'Este enlace no está completo',
    unknown: 'Ábralo de nuevo desde el correo, o responda que no desea recibir más.',
  },
};

export const LANGUAGES = Object.keys(WORDS);

const wordsIn = (language: string): Words => WORDS[language] ?? (WORDS.en as Words);

/** The question with its one button. Opening it changes nothing: scanners follow links; only the button's POST does. */
export function questionPage(language: string, address: string): HtmlPage {
  const words = wordsIn(language);
  return htmlPage(
    words.title,
    `<p>${escapeHtml(words.question(address))}</p>\n<form method="post"><button type="submit">${escapeHtml(words.button)}</button></form>`,
    language,
  );
}

export function donePage(language: string): HtmlPage {
  const words = wordsIn(language);
  return htmlPage(words.doneTitle, `<p role="status">${escapeHtml(words.done)}</p>`, language);
}

export function unknownLinkPage(language: string): HtmlPage {
  const words = wordsIn(language);
  return htmlPage(words.unknownTitle, `<p>${escapeHtml(words.unknown)}</p>`, language);
}
