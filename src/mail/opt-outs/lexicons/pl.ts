import { lexicon } from './lexicon.ts';

export const PL = lexicon(
  'pl',
  {
    remove: `
        usu* wykreśl* skreśl* skasuj* skasow* kasuj* usunięci* usuwa* wymaż* wykreślenie zapomni* wyrzuć* wywal* anulow*
        pominą* pomini* anuluj* usunąć usuńcie wykreślić skasować wymazać zlikwid*
      `,
    unsubscribe: 'wypis* wypisz* rezygnuj* rezygnacja wyrejestr* odsubskryb* anuluj_subskrypcję anulować_subskrypcję wypisanie',
    take: 'zabierz* wyrzuć* trzyma*',
    off: 'z ze',
    stop: `
        przesta* zaprzesta* koniec stop dość dosyć przerwij* zakończ* skończ* wstrzyma* wstrzymaj* wystarczy zaniecha*
        powstrzyma* zaniech* odstąpi* wstrzym* przestańcie skończcie dajcie_spokój oszczędz*
      `,
    send: `
        pisa* pisz* wysył* wysyła* przysył* kontakt* słać ślij* nęka* wysyłaj* przesył* zawraca* niepoko* spam*
        zaczepia* nagabyw* wyślij* mailować pisanie pisać piszcie wysyłać wysyłajcie przysyłać kontaktować bombard*
        zasyp* męcz* dręcz* odzywa* nalega*
      `,
    call: 'dzwo*',
    receive: 'otrzymyw* dostaw* odbiera* dostać',
    want: `
        chcę chce chcemy życz* życzymy wyraż* żąda* potrzebuj* wnosz* domagam widzian* potrzeb* preferuj* wolałbym żądam
        oczekuj* domaga* apeluj* wzywa* nalega*
      `,
    not: 'nie nigdy żadn* ani nic nie_wyrażam bez',
    again: 'więcej już dalsz* ponownie kolejn* przyszłości nigdy_więcej jakichkolwiek jeszcze_jeden jeszcze_jedn*',
    mail: `
        mail* maili wiadomości reklam* newslett* spam* korespondencj* emaili emailów informacji_handlowych mailami
        treści_marketingowych ofert ofertami propozycj* kontaktów przypomnie* przypominaj* ponagle* wysyłk*
      `,
    mailing: 'email e-mail kontakt*',
    me: 'mnie mi nas nam mną do_mnie do_nas nami',
    my: 'mój moje moich moja moją moim nasz nasze naszych naszą naszego mojego mojej',
    data: `
        adres* dane danych email mail nazwisk* imię firm* kontakt numer informacje skrzynk* osobow* pracownik* personel*
        zarząd* kierownictw* konto konta dyrekcj*
      `,
    list: 'list* baz* newsletter* systemu mailing* subskrypcj* dystrybucj* kartotek* rejestr* wysyłk* wysyłek spis* kampani*',
    your: 'wasz* waszej waszych twoj* swojej swoich tej tego tych wszystk* państwa pana pani was',
    filler: `
        proszę prosze bardzo dziękuję dzięki natychmiast dzień dobry pozdrawiam na ten ta to te do w i od ja my się o
        sobie można mogę możecie ktoś zgodnie rodo art z za ze po jestem jesteśmy zainteresowan* celach celem uprzejmie
        serdecznie tym wszelkie takich oraz więc mojej niezwłocznie ani moich osobowych osobowe mnie dotyczące co mam
        zrobić żeby byłbym byłabym będę są tu sens sensu ma mają pan pani państwo państwu używać ostatni raz następnej
        jeszcze jeden już czy by zeby proszę_dopilnować osoba wolno byłem był była było trzeci trzecia drugi razy
        tydzień naprawdę po_prostu tylko_że tak bo gdzie_indziej każdy zawsze bez_zwłoki między również wyraźnie pilnie
        całkowicie sam sama jak to_jest tego mi_się jest tę nich dla wszelkich tylko
      `,
    if: 'jeśli jeżeli gdy gdyby',
    instruct: 'kliknij link odpowiedz kliknąć',
    i: 'ja my',
    be: 'być został zostać',
    how: 'jak gdzie',
    could: 'móg* mógł może czy_mo* prosz* możliw* wdzięczn* zobowiąz* wolałb*',
    object: 'dość_wasz* niepożądan* niechcian* sprzeciw* odmawia* zabrania* zakazuj* prawnik* skarg* uodo zgłosz*',
    withdraw: 'cofa* wycof* odwołuj*',
    consent: 'zgod* zgody',
    processing: 'przetwarza* wykorzyst* marketing* używa*',
    right: 'prawo prawa artykuł art rodo',
    but: `
        ale_proszę przed aż dopiero tylko zamiast spotkani* faktur* zamówieni* punkt* stary starą odsetek pomyłkę
        poniedziałek wtorek klienci vat oferty_punkt wahać waha* skończył* zakończył* stare starego starej stara
        pierwszej pierwsza pierwszy pierwszego
      `,
    block: 'czarn* lista_robinsona zablokow* zablokuj* blokuj*',
    split: 'i oraz lub',
    idioms: [
      'da\\S* (?:mi|nam) (?:wreszcie |juz )?(?:swiety )?spok\\S*',
      'od(?:czep|wal)\\S* sie',
      'zostaw\\S* (?:mnie|nas)(?: juz| wreszcie)? w spokoju',
      'koniec z (?:mail|spam|reklam|wiadomosc)\\S*',
      'sp(?:ada|lywa)j(?:cie)?',
      'idz\\S* (?:meczyc|nekac|zaczepiac|spamowac) (?:kogos innego|innych)',
      '(?:znajd|szukaj)\\S* (?:sobie )?inn\\S* (?:ofiar|jelen|frajer)\\S*',
      'nie zawraca\\S* (?:mi|nam) (?:juz )?glowy',
      'mam (?:juz )?(?:dosc|dosyc) (?:waszych|tych|twoich) (?:mail\\S*|wiadomosci|ofert|spamu|reklam)',
      'nie znaczy nie',
    ],
  },
  { negations: 'nie' },
);
