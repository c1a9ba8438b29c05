import { lexicon } from './lexicon.ts';

export const PT = lexicon(
  'pt',
  {
    remove: `
        remov* remoção exclu* exclusão apag* elimin* eliminação delet* retir* exclua exclus* risc* cancele_meu
        cancelar_meu desaparec* anul* cancel* apagar apaguem remover removam tirar tirem retirar risq* joga*
      `,
    unsubscribe: `
      descadastr* cancelar_subscrição cancelar_a_subscrição cancelem_a_subscrição cancelar_inscrição cancelar_a_inscrição
      cancele_minha_inscrição cancelar_minha_inscrição anular_subscrição desinscr* desinscrever cancelar_assinatura
      cancelar_a_assinatura sair_da_lista desubscrever cancelem_a_minha_subscrição cancelar_a_minha_subscrição
      cancel*_inscriç* cancel*_minha_inscriç* cancel*_a_inscriç* cancel*_a_minha_inscriç* cancel*_minha_subscriç*
      cancel*_assinatura
    `,
    take: 'tir* sair saia sai mant* tira',
    off: 'da do de das dos desta desse dessa deste fora',
    stop: `
        par* deix* chega basta cess* stop suspend* abstenh* abster evit* cessem desist* cessaç* abstenç* abstenham parar
        parem deixar deixem cessar poupe* poupa* para_de
      `,
    send: `
        envi* mand* escrev* contact* contat* incomod* spam* remet* perturb* import* aborrec* incomodad* abord* insist*
        escrever escrevam mandar mandem enviar enviem contactar contactem contatem incomodar bombarde* assedi* molest*
      `,
    call: 'lig* telefon*',
    receive: 'receb* recepção saber constar receba',
    want: `
        quer* quero desej* gostar* gostaria gostaríamos pretend* autoriz* interess* exij* solicit* agradeç* peço preciso
        precisamos prefir* bem_vindo* bem-vindo* necessit* reivindic* reclam* insto esper* pedimos rogo rogamos requeir*
        pedi solicitei solicitámos
      `,
    not: 'não nao nunca jamais nenhum nenhuma nem nada n',
    again: 'mais novamente volt* futur* outr* adiante continu* qualquer quaisquer',
    mail: `
        emails mails mensage* publicidade comunicaç* newsletter* spam propaganda* anúncio* promoç* correspondência
        divulgaç* ofertas propostas contactos contatos e-mails lembrete* seguimentos
      `,
    mailing: 'email mail contacto contato correio',
    me: 'me nos mim',
    my: 'meu minha meus minhas nosso nossa nossos nossas',
    data: `
        dado dados endereço* email mail nome contacto* contato* informaç* empresa perfil número cadastro pessoais
        funcionários colaboradores equipa equipe administração direção gerência conta
      `,
    list: `
        lista* base* banco cadastro mailing* sistema crm ficheiro* registo* registro* distribuição newsletter* arquivo*
        assinatura subscrição campanha* boletim campanh* assinatura*
      `,
    your: `
      vossa vosso vossas vossos sua seu suas seus tua teu esta este essa esse estes estas esses essas toda todas todos todo
      tudo
    `,
    filler: `
        por favor obrigad* já a o as os um uma e de do da em no na nos nas que para imediatamente olá cumprimentos
        atenciosamente bom dia boa tarde agora eu nós vocês você voces voce sou estou ser gostaria peço solicito
        agradeço podem pode podia conforme lgpd rgpd com pessoais sem_interesse ao isto isso hoje partir aqui gentileza
        de_imediato se_possível faço à tratamento vossa_parte parte urgente tenho tem têm são fazer façam usado usar
        vale pena sentido vez tipo novo próxima última pessoa certa ficaria sei como fui permissão foi era tinha temos
        terceira segunda vezes dias semana realmente simplesmente muito bem assim então porque onde alguém cada sempre
        sem sobre entre também aquele aquela expressamente formalmente urgentemente completamente mesmo mesma quanto
        nesta nessa estar ir próximas próximos só duas três parec* parc* part* parq* foi_parar
    `,
    if: 'se caso quando',
    instruct: 'cliqu* link respond* clique',
    i: 'eu nós',
    be: 'ser seja sejam estar estar_na',
    how: 'como onde',
    could: 'pod* possível gostaria grato grata agradec* feliz ficaria prefir*',
    object: `
        farto farta cansado_de indesejad* opo* oposição oponho recus* proíb* rejeit* advogado queixa cnpd denunci*
        reclamação
      `,
    withdraw: 'retir* revog* revogação',
    consent: 'consentimento autorização autorizo autorizei autorizámos autorizamos autoriz*',
    processing: 'tratamento uso utiliz* fins marketing usem use usar',
    right: 'direito artigo art lgpd rgpd',
    but: `
        momento antes até depois sim reunião encontro fatura pedido proposta orçamento espera antigo antiga taxa segunda
        terça quarta quinta sexta engano iva clientes ainda hesit* primeira primeiro não_queríamos não_queria
    `,
    block: 'lista_negra lista_de_bloqueio bloque*',
    split: 'e ou',
    idioms: [
      'deix\\S* (?:me|nos) (?:em paz|tranquil[oa]s?|sossegad[oa]s?)',
      'me deix\\S* em paz',
      '(?:chega|basta) de (?:e ?mail|mensagen|spam|propaganda)s?',
      '(?:vao|va) (?:chatear|incomodar|perturbar) outr[oa]s?(?: pessoa)?',
      '(?:procure|arranje|encontre)m? outr[oa] (?:vitima|otario|trouxa)',
      'nao insist(?:a|am)(?: mais)?',
      'nao encham? o saco',
      '(?:fart|cansad)[oa]s? d(?:os|estes|esses) (?:vossos |seus )?(?:e?mails|mensagens)',
      'nao e nao',
    ],
  },
  { enclitics: 'me nos' },
);
