import { lexicon } from './lexicon.ts';

export const IT = lexicon(
  'it',
  {
    mydata: 'mia_mail mia_email',
    remove: `
        cancell* elimin* rimuov* rimozion* rimosso rimossa cancellazione eliminazione tolgano deped* canc* tolt*
        escludete escluda espung* depennate depenn* rimozione sparire annull* espelle* cancellare cancellate rimuovere
        togliere levare levat* butta* stralci*
      `,
    unsubscribe: `
      disiscri* disiscrizione cancellate_l_iscrizione annull*_l_iscrizione annull*_la_mia_iscrizione annull*_iscrizione cancellazione_iscrizione annullare_l_iscrizione
      annullamento_iscrizione disdire_iscrizione cancellatemi cancellami cancellateci desidero_disiscrivermi disabbonare
    `,
    take: 'togli* tolga* tolgano toglietemi leva* levate tenet* tieni toglie* togli',
    off: 'da dal dalla dai dalle dall dagli fuori',
    stop: `
        basta smett* stop cess* ferm* finit* finitela piantat* smettetela evit* astene* asteng* interromp* diffido
        piantala sospend* desist* rinunci* cessazione asten* smettere smettete cessate finirla fermate risparmi*
        smettila piantatela
      `,
    send: `
        scriv* mand* invi* contatt* spedi* disturb* importun* spam* recapit* sollecit* rivolg* tormenta* ricontatt*
        riscriv* disturbat* avvicin* contattat* scrivere scrivete mandare mandate inviare inviate contattare contattate
        disturbate assill* bombard* molest* insist*
      `,
    call: 'chiam* telefon*',
    receive: 'ricev* ricezione sentir* avere essere_contattat*',
    want: `
        vogli* vorr* desider* intend* chied* gradi* volere richied* preg* diffido gradit* preferir* preferisc* serv*
        bisogno benvenut* esig* pretend* reclam* invito esort* aspett* chiediamo preghiamo
      `,
    not: 'non no mai nessun nessuna niente né nulla',
    again: 'più altr* ancora ulterior* futur* oltre avvenire',
    mail: `
        mail email emails messagg* newsletter pubblicità comunicazion* spam promozion* posta_indesiderata corrispondenza
        invii offerte proposte contatti sollecitazioni promemoria solleciti
      `,
    mailing: 'mail email contatto',
    me: 'mi ci me noi',
    my: 'mio mia miei mie nostro nostra nostri nostre',
    data: `
        dati indirizz* nome contatt* mail email nominativo recapit* azienda profilo informazion* numero personali
        posta_elettronica dipendenti personale collaboratori consiglio direzione account conto dirigenza contatto nominativo
    `,
    list: `
        lista liste mailing_list mailing elenco elenchi database archivi archivio newsletter banca_dati sistema crm
        rubrica indirizzario registri distribuzione iscrizione campagn* iscrizion* newsleter
      `,
    your: 'vostro vostra vostri vostre suo sua suoi sue tuo tua tuoi tue questo questa queste questi tutti tutte tutto',
    filler: `
        per favore prego grazie vi si cortesemente gentilmente il la lo i gli le l un una e di del dei della da a ad al
        alla in subito immediatamente ora salve buongiorno cordiali saluti io noi voi sono siamo essere posso potete può
        potreste che ai sensi gdpr con fate cortesia pregano prega personali sia interessati interessato interessata qui
        quest questo ne chiedo ogni immediata al_più presto posta elettronica da_parte vostra fine finalità pregherei
        dell tutti è ho avete ha so nel va usato usare usarlo senso modo genere veniamo prossimo ultima volta persona
        sarei permesso qualsiasi stato stata abbiamo hanno aveva terza seconda volte giorno giorni settimana davvero
        semplicemente molto bene già così allora perché dove qualcuno sempre senza su tra anche quello quella
        espressamente formalmente urgentemente completamente stesso quanto come vorrebbe venga vengano venire stare
        nella quando fare devo cosa prossimi prossima
      `,
    if: 'se qualora quando',
    instruct: 'clicc* link rispond* clicca_qui',
    i: 'io noi',
    be: 'essere sia siano venire',
    how: 'come dove',
    could: 'potete può potreste potrebbe potrest* possibile posso faccio grato grata grati gradir* felice preferir* sarei',
    object: `
        stufo stufa stanco_di indesiderat* oppong* opposizione oppon* rifiut* proibi* vieto declin* avvocato garante
        denunci* reclamo segnal*
      `,
    withdraw: 'revoc* ritir* revoca',
    consent: 'consenso autorizzazione',
    processing: 'trattamento uso utilizz* finalità marketing usatela usatelo usare usate',
    right: 'diritto articolo art gdpr',
    but: `
        momento prima fino dopo invece piuttosto riunione appuntamento fattura ordine preventivo attesa vecchio vecchia
        tasso lunedì martedì mercoledì giovedì venerdì sbaglio logo iva clienti esit* primo prima_offerta
        prima_proposta basta_una basta_un da_noi
    `,
    block: 'lista_nera blacklist registro_delle_opposizioni blocca* blocc*',
    split: 'e o',
    idioms: [
      'lasc\\S*(?:mi|ci) (?:in pace|stare|perdere|tranquill[oa])',
      'non romp\\S*(?: le (?:scatole|palle|balle))?',
      '(?:(?:mi|ci) )?avete (?:rotto|stufato|stancato|scocciato)',
      '(?:and\\S*|vada|vai) a (?:scocciare|disturbare|rompere|infastidire) (?:qualcun altro|altri|altrove)',
      '(?:trov|cerc)\\S* un altr[ao] (?:vittima|pollo|fesso)',
      '(?:smettetela|piantatela|finitela|la smetta|piantala|smettila|finiscila)',
      'spari(?:te|sca) dalla mia (?:casella|posta)',
      'non insist(?:a|ete|ere)(?: oltre| piu)?',
      '(?:stuf|stanc)\\S+ (?:delle vostre|di queste|dei vostri|di questi) (?:mail|email|messaggi|offerte)',
    ],
  },
  { enclitics: 'mi ci temi teci melo telo' },
);
