import { it } from 'vitest';
import { ADA, expectVerdict, type Notice, RETURNED } from '../../support/notices.ts';

/** Notices in languages other than English. All are invented, in the layouts of servers. */
const NOTICES: Notice[] = [
  [
    'exchange fi',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Toimittaminen ei onnistunut: Hello' },
    `Toimitus epäonnistui seuraaville vastaanottajille tai ryhmille:

${ADA}
Antamaasi sähköpostiosoitetta ei löytynyt.`,
  ],
  [
    'exchange zh-tw',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: '無法傳遞: Hello' },
    `傳遞至下列收件者或群組失敗:

${ADA}
找不到您輸入的電子郵件地址。`,
  ],
  [
    'exchange ro',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Nelivrabil: Hello' },
    `Livrarea nu a reușit la acești destinatari sau grupuri:

${ADA}
Adresa de e-mail introdusă nu a fost găsită.`,
  ],
  [
    'exchange no',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Kan ikke leveres: Hello' },
    `Levering til disse mottakerne eller gruppene mislyktes:

${ADA}
Fant ikke e-postadressen du skrev inn.`,
  ],
  [
    'exchange uk',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Не вдалося доставити: Hello' },
    `Не вдалося доставити повідомлення цим отримувачам або групам:

${ADA}
Не вдалося знайти введену адресу електронної пошти.`,
  ],
  [
    'exchange it',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Non recapitabile: Hello' },
    `Recapito non riuscito per i seguenti destinatari o gruppi:

${ADA}
Impossibile trovare l'indirizzo di posta elettronica immesso.`,
  ],
  [
    'exchange pl',
    'hard_bounce',
    { From: 'postmaster@ex.example', Subject: 'Niedostarczalne: Hello' },
    `Dostarczenie wiadomości do następujących adresatów lub grup nie powiodło się:

${ADA}
Nie można odnaleźć wprowadzonego adresu e-mail.`,
  ],
  [
    'qmail de',
    'hard_bounce',
    { From: 'MAILER-DAEMON@qm.example', Subject: 'Fehlermeldung' },
    `Hallo. Hier ist das qmail-send Programm auf qm.example.
Leider konnte ich Ihre Nachricht nicht an die folgenden Adressen ausliefern.
Dies ist ein dauerhafter Fehler, ich gebe auf.

<${ADA}>:
Hier gibt es kein Postfach mit diesem Namen.

--- Nachfolgend eine Kopie der Nachricht.

${RETURNED}`,
  ],
  [
    'qmail fr',
    'hard_bounce',
    { From: 'MAILER-DAEMON@qm.example', Subject: `notification d'échec` },
    `Bonjour. Ici le programme qmail-send de qm.example.
Je suis désolé de ne pas pouvoir délivrer votre message aux adresses suivantes.
Ceci est une erreur permanente, j'abandonne.

<${ADA}>:
Désolé, pas de boîte à ce nom ici.`,
  ],
  [
    'uol',
    'hard_bounce',
    { From: 'Postmaster UOL <postmaster@uol.example>', Subject: 'Erro na entrega de mensagem' },
    `Não foi possível entregar sua mensagem para o endereço ${ADA}
Motivo: usuário inexistente`,
  ],
  [
    'wp',
    'hard_bounce',
    { From: 'MAILER-DAEMON@wp.example', Subject: 'Zwrot poczty' },
    `Wiadomość nie została dostarczona do ${ADA}
Powód: nie ma takiego użytkownika`,
  ],
  [
    'i.ua',
    'hard_bounce',
    { From: 'mailer-daemon@i.ua.example', Subject: 'Повернення листа' },
    `Ваш лист не доставлено. Адреса ${ADA} не існує.`,
  ],
  [
    'o365 es',
    'hard_bounce',
    { From: 'Microsoft Outlook <postmaster@outlook.example>', Subject: 'No se puede entregar: Hello' },
    `No se pudo entregar el mensaje a ${ADA}.

No se encontró ada en recipient.example.`,
  ],
  [
    'o365 ja',
    'hard_bounce',
    { From: 'Microsoft Outlook <postmaster@outlook.example>', Subject: '配信不能: Hello' },
    `${ADA} へのメッセージを配信できませんでした。

ada が recipient.example で見つかりませんでした。`,
  ],
  [
    'o365 zh',
    'hard_bounce',
    { From: 'Microsoft Outlook <postmaster@outlook.example>', Subject: '无法送达: Hello' },
    `无法将邮件传递到 ${ADA}。

在 recipient.example 找不到 ada。`,
  ],
  [
    'o365 pl',
    'hard_bounce',
    { From: 'Microsoft Outlook <postmaster@outlook.example>', Subject: 'Niedostarczalne: Hello' },
    `Nie można dostarczyć wiadomości do ${ADA}.

Nie znaleziono ada w domenie recipient.example.`,
  ],
  [
    'gmail de',
    'hard_bounce',
    { From: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>', Subject: 'Delivery Status Notification (Failure)' },
    `** Adresse nicht gefunden **

Ihre Nachricht wurde nicht an ${ADA} zugestellt, weil die Adresse nicht gefunden wurde oder keine E-Mails empfangen kann.`,
  ],
  [
    'cz',
    'hard_bounce',
    { From: 'Mailer-Daemon@cz.example', Subject: 'Vaše zpráva nebyla doručena' },
    `Zpráva nemohla být doručena příjemci ${ADA}: uživatel neexistuje`,
  ],
  [
    'hu',
    'soft_bounce',
    { From: 'Mailer-Daemon@hu.example', Subject: 'Sikertelen kézbesítés' },
    `A levelet nem sikerült kézbesíteni: ${ADA}
A postafiók megtelt.`,
  ],
  [
    'gr',
    'hard_bounce',
    { From: 'Mailer-Daemon@gr.example', Subject: 'Αποτυχία παράδοσης' },
    `Το μήνυμά σας δεν παραδόθηκε στον ${ADA}: ο χρήστης δεν υπάρχει`,
  ],
  [
    'tr',
    'hard_bounce',
    { From: 'Mailer-Daemon@tr.example', Subject: 'İleti gönderilemedi' },
    `İletiniz ${ADA} adresine gönderilemedi: kullanıcı bulunamadı`,
  ],
  [
    'anonymous de',
    'hard_bounce',
    { From: 'service@host.example', Subject: 'Hello' },
    `Ihre Nachricht konnte nicht an folgende Empfänger zugestellt werden:

${ADA}
550 5.1.1 unknown user`,
  ],
  [
    'exchange cs, delayed',
    'delay',
    { From: 'postmaster@ex.example', Subject: 'Zpožděno: Hello' },
    `Doručení následujícím příjemcům nebo skupinám se zpozdilo:

${ADA}

Tato zpráva zatím nebyla doručena.`,
  ],
  [
    'exchange hu, delayed',
    'delay',
    { From: 'postmaster@ex.example', Subject: 'Késik: Hello' },
    `A kézbesítés késik a következő címzettek vagy csoportok esetében:

${ADA}

Az üzenet még nincs kézbesítve.`,
  ],
  [
    'exchange tr, delayed',
    'delay',
    { From: 'postmaster@ex.example', Subject: 'Gecikti: Hello' },
    `Bu alıcılara veya gruplara teslim gecikti:

${ADA}

Bu ileti henüz teslim edilmedi.`,
  ],
];

it.each(NOTICES)('%s: %s', expectVerdict);
