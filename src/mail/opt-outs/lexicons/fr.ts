import { lexicon } from './lexicon.ts';

export const FR = lexicon('fr', {
  remove: `
      supprim* retir* enlev* effac* ray* radi* suppression retrait effacement élimin* efface oubli* ôt* exclu* sortez
      sortir radiation éliminer sorti* exclure ôter disparaît* annul* retirez enlevez vire virez dégag* jet* biff*
    `,
  unsubscribe: `
      désabonn* désinscri* désinscription désabonnement se_désabonner stop_pub résilier_abonnement annuler_abonnement
      annuler_mon_abonnement annulez_mon_abonnement
    `,
  take: 'sortez sortir sors tirer',
  off: 'de du des d hors',
  stop: `
      stop arrêt* cess* stopp* assez fini marre mettre_fin mettez_fin abstenir halte abstien* renonc* cessation arrêter
      arrêtez cessez cessiez fin finissez terminé épargn*
    `,
  send: `
      envoy* écri* contact* sollicit* démarch* prospecter adress* transmet* relanc* mailer harcel* spam* embêt*
      importun* dérang* ennuy* prospect* envoi expédi* inond* recontact* réécri* approch* dérangé* contacté* solliciter
      écrivez écrire envoyez envoyer contactez bombard* assaill* approcher dérangez insist*
    `,
  call: 'appel* téléphon*',
  receive: 'recevoir reçoi* recevr* reçu entendre avoir figurer',
  want: `
      souhait* veux voul* voudr* désir* veut aimer* tiens exig* demand* besoin bienvenu* envie préfér* exige exigeons
      demandons demande réclam* attend* invit* somme sommons
    `,
  not: 'inutile ne n pas jamais aucun aucune ni rien plus_jamais',
  again: 'plus autre* nouveau davantage encore avenir dorénavant désormais futur* ultérieur*',
  mail: `
      mails emails courriel* message* newsletter* pub pubs publicité* lettre* communication* envoi* spam* sollicitation*
      prospection courrier* démarchage info-lettre infolettre proposition* offre* e-mails prospectus relances rappels
    `,
  mailing: 'mail email contact',
  me: 'me m moi nous',
  my: 'mon ma mes notre nos',
  data: `
      adresse* données coordonnées nom contact numéro information* société entreprise profil mail email fiche boîte
      courriel mél collaborateurs salariés équipe personnel direction conseil compte infos siège
    `,
  list: `
      liste* base* fichier* diffusion mailing annuaire* mailing-list registre* système crm contacts carnet newsletter
      envois répertoire campagne* abonnement*
    `,
  your: 'votre vos ton ta tes cette ce ces cet toute toutes tous tout',
  filler: `
      merci prière svp s_il vous plaît te plait veuillez bonjour bonsoir cordialement bien vouloir de la le les l un une
      des et à a y je j nous tu immédiatement dès maintenant pouvez peux pourriez pouvons êtes prié* priés suis est être
      avoir conformément rgpd par pour aux au en sur cela ceci intéressé qu que si_possible cher madame monsieur demande
      votre vos plus personnelles personnels ici ça sans délai rapidement il dans notre part besoin plutôt mes me
      concernant caractère définitivement agréer toute ai ont sont sera serait serais dois doit doivent faire fait fais
      faites servir sert derniere fois personne genre bonne soyons ensemble détenez sorte dehors laissez laisser été
      étais était avais avait avez avons eu troisième deuxième jour jours semaine tout_de_suite vraiment simplement
      encore même très déjà faut falloir leur lui elle ils vous_même aussi donc alors car dont où celui celle ceux
      celles chaque toujours sous avec chez entre fermement expressément strictement urgemment quiconque quelqu prochain
      prochains prochaine prochaines suivants en_sorte
    `,
  if: 'si lorsque quand',
  instruct: 'cliqu* lien répond* ci-dessous bouton',
  i: 'je j nous on',
  be: 'être est soit soient sois suis',
  how: 'comment où',
  could: 'pourr* pouv* peux possible vouloir reconnaissant* gré apprécier* content préférer* soulagé* évit*',
  object: 'assez_de marre_de ras_le_bol indésirable* oppos* opposition refus* interdi* declin* avocat plainte cnil signal*',
  withdraw: 'retir* révoqu* retrait',
  consent: 'consentement accord autorisation',
  processing: 'traitement* utilis* usage prospection profilage marketing commercial*',
  right: 'droit article art rgpd',
  but: `
      moment mais_envoyez avant jusqu après sauf plutôt rendez-vous devis facture réunion commande attente ancienne
      ancien taux lundi mardi mercredi jeudi vendredi hésit* premier première vous_ne_me_dérangez vous_ne_nous_dérangez tu_ne_me_déranges ne_voulions ne_voulais
    `,
  block: 'liste_noire liste_rouge bloctel liste_robinson liste_d_opposition liste_de_blocage bloqu*',
  split: 'et ou puis',
  idioms: [
    '(?:laiss|fich|fout)\\S* (?:moi|nous) (?:la paix|tranquilles?|en paix)',
    'foutez (?:moi|nous) la paix',
    'allez vous faire',
    'plus (?:aucun|jamais|un seul|de) (?:mail|message|courriel|email|pub)s?',
    'lachez (?:moi|nous)',
    'lachez l affaire',
    'allez (?:embeter|ennuyer|spammer|harceler) (?:quelqu un d autre|les autres|d autres)',
    'trouvez (?:vous )?(?:une autre victime|un autre pigeon)',
    '(?:degagez|cas+ez vous|fichez le camp|du balai)',
    '(?:marre|assez|ras le bol|plein le dos) de (?:vos|tous ces|ces) (?:mails?|messages|courriels?|emails?|relances|spams?|pubs?)',
    'ca suffit (?:maintenant|comme ca)',
    'trop c est trop',
    'non c est non',
    'n insistez (?:pas|plus)',
    'inutile d insister',
  ],
});
