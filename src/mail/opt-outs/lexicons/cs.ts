import { lexicon } from './lexicon.ts';

export const CS = lexicon(
  'cs',
  {
    remove: `
        odstra* odstr* vymaž* vymaz* smaž* smaz* vyřaď* vyřad* vyškrt* výmaz vyjm* vynech* maž* zapomeň* odeber* likvid*
        vyhoď* vyhod* vynechal* zruš* smazat odstranit vymazat vyřadit vyhodit vyhazuj* zlikvid* hoď*
      `,
    unsubscribe: `
        odhlás* odhlas* zrušte_odběr zrušit_odběr zruš_odběr zrušení_odběru odhláš* odhlášení zrušte_mi_odběr
        zrušte_můj_odběr ruším_odběr zruš*_odběr* zruš*_můj_odběr zrušte_prosím_můj_odběr
      `,
    take: 'vezm* dejte_mě_pryč drž*',
    off: 'z ze od pryč',
    stop: `
        přesta* dost stop konec ukonč* skonč* zastav* zanech* zdrž* upusť* upustit ustaň* přestat přestaňte nechte_toho
        končete ušetř*
      `,
    send: `
        piš* psát posíl* zasíl* kontakt* obtěž* rozesíl* oslov* spam* pošl* nabíz* zasláí otravuj* kontaktován* pište
        posílat posílejte kontaktovat obtěžovat bombard* zasyp* otravovat spamovat ozýv* ozv* naléh*
      `,
    call: 'vol*',
    receive: 'dostáv* dostat přijím* odebír* obdrž*',
    want: 'chc* přej* žád* požad* zájem stoj* vítán* potřeb* požaduj* očekáv* vyzýv* trvám',
    not: 'ne nikdy žádn* nic nechc* nepřej* ani bez nemá nesmí nejsou',
    again: 'další* víc* už znovu nadále nikdy_více více příště budoucn* ještě_jeden ještě_jedn*',
    mail: `
        mail* zpráv* reklam* newsletter* spam* obchodní_sdělení sdělení emailů emaily e-maily e-mailů nabídky nabídek
        nabídkami kontaktován* návrhy návrh* upomín* připomínk*
      `,
    mailing: 'email mail kontakt*',
    me: 'mě mne mi nás nám mně mnou námi',
    my: 'můj moje mé mých moji mou mého mojí naši naše náš našich našeho své svůj svých svoji',
    data: `
        adres* údaj* email mail jméno firm* kontakt* osobní* data číslo informace zaměstnanc* pracovník* vedení
        představenstv* účet účtu svého_účtu schránk*
      `,
    list: `
        seznam* databáz* odběr* adresář* newsletter* evidenc* rozesíl* rozesílk* systém* mailing* kartoték* list*
        kampan* novinek
      `,
    your: 'vaš* váš* tvé tvého těchto tento tuto této tohoto všech* veškeré od_vás',
    filler: `
        prosím prosim děkuj* díky ihned okamžitě dobrý den hezký pozdravem s na v a o od do já my vy ty se si jsem jsme
        bych mohli můžete můžu dle podle gdpr osobních tímto proti vás vám hned prosíme laskavě abyste aby ten to k
        zdvořile co mám udělat byste tato smí používat takové smysl byla byl bylo jsou tu toho dá tak ještě jeden příští
        naposledy abychom zajistěte pravý osoba jste třetí druhý raz krát týden opravdu prostě velmi tedy protože kde
        někdo každý vždy bez mezi také výslovně naléhavě úplně sám sama jak je těch už_dost jen_tak pro jen ji
      `,
    if: 'pokud jestli když jestliže',
    instruct: 'klikn* odkaz odpov* link',
    i: 'já my',
    be: 'být byl byla',
    how: 'jak kde',
    could: 'moh* můž* možn* prosím vděč* rád ráda ocenil*',
    object: `
        dost_vaš* nevyžád* nežádouc* námitk* námitku nesouhlas* namít* odmít* zakazuj* nepřeji právník* stížnost* úoou
        advokát*
      `,
    withdraw: 'odvol* odvoláv* zruším beru_zpět zpět',
    consent: 'souhlas*',
    processing: 'zpracov* využ* použív* marketing* nepoužívejte',
    right: 'právo práva článek čl gdpr',
    but: `
        ale před dokud až nabídky_bod schůzk* faktur* objednáv* bod starou starý omylem zákazníci pondělí úterý středu
        čtvrtek pátek neváh* váh* skončil* první prvního
      `,
    block: 'blacklist* černou_listin* zablok* bloku*',
    split: 'a nebo',
    idioms: [
      '(?:dejte|dej) (?:mi|nam)(?: uz| konecne| svaty)* (?:pokoj|svatek|klid)',
      'nech\\S* (?:me|nas) (?:uz )?(?:byt|na pokoji|v klidu)',
      '(?:tahnete|jdete) s tim(?: nekam| k sipku)?',
      'bez\\S* (?:otravovat|obtezovat|spamovat) (?:nekoho jineho|jinam|jine|jinde)',
      '(?:najd|hled)\\S* si jin\\S* (?:obet|blb\\S*)',
      'neotravuj(?:te)?(?: (?:me|nas|lidi))?',
      'mam (?:uz )?dost (?:vasich|tech|tvych) (?:mailu|emailu|zprav|nabidek)',
      'mam vas plne zuby',
      'lezete? mi (?:uz )?(?:na nervy|krkem)',
      'ne znamena ne',
      'jste (?:hrozne |strasne )?(?:otravni|vlezli|neodbytni)',
    ],
  },
  { negations: 'ne' },
);
