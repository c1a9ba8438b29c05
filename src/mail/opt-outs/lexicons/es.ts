import { lexicon } from './lexicon.ts';

export const ES = lexicon(
  'es',
  {
    remove: `
        borr* elimin* suprim* supresión eliminación borrado retir* quit* excluy* cancel* exclu* desaparec* anul*
        fuera_de borrar borren eliminar quitar quiten sacar saquen tach* echa* echen bota*
      `,
    unsubscribe: `
      baja doy_de_baja darme_de_baja denme_de_baja dar_de_baja dadme_de_baja dame_de_baja darnos_de_baja desuscri*
      desinscri* desapunt* desuscripción cancelar_suscripción cancelar_la_suscripción cancelar_mi_suscripción
      cancelen_mi_suscripción cancele_mi_suscripción anular_mi_suscripción anular_suscripción
    `,
    take: 'saca* saqu* sac* sal* quit* salir quita*',
    off: 'de del fuera',
    stop: `
        dej* par* basta cesen cesar cese alto suficiente stop absten* no_sigan no_siga no_sigas parad detén* eviten
        evite evitar suspend* absténg* desist* renunci* dejar dejen paren pare parar cesad ahorr* para_de para_ya_de
        para_ya
      `,
    send: `
        enví* env* escrib* mand* contact* molest* remit* bombarde* spamear acos* dirig* llegar lleguen volver_a_escribir
        comuni* molestar insist* aproxim* escribir escriban escriba mandar manden mande enviar envíen contactar
        contacten moleste molesten acosar
      `,
    call: 'llam*',
    receive: 'recib* recepción saber llegar seguir_recibiendo figurar estar aparecer',
    want: `
        quier* quer* dese* gustar* interes* exij* solicit* ruego necesit* pido agradec* bienvenid* prefier* exig*
        reclam* insto espero demando pedimos rogamos requ*
      `,
    not: 'no nunca jamás ningún ninguna ni nada tampoco',
    again: 'más otro otra vuelv* nuevo adelante futuro seguir sigan siga sigas nunca_más otro_correo',
    mail: `
        correos emails mails mensaje* publicidad boletín boletin* newsletter* comunicación comunicaciones spam
        propaganda anuncios promociones correspondencia envíos información_comercial ofertas propuestas comunicados
        contactos seguimientos recordatorio*
      `,
    mailing: 'correo mail email contacto',
    me: 'me nos mí',
    my: 'mi mis nuestro nuestra nuestros nuestras',
    data: `
        dato datos dirección correo email mail nombre contacto información empresa perfil número electrónico personales
        empleados personal equipo compañeros junta gerencia cuenta
      `,
    list: `
        lista* base fichero* boletín bases directorio sistema crm distribución registro* envíos mailing archivo*
        base_de_datos suscripción contactos campañ* agenda suscripción*
      `,
    your: 'su sus tu tus vuestra vuestro vuestras vuestros esta este estos estas esa ese esos esas toda todas todos todo',
    filler: `
        por favor porfa gracias ya de la el los las lo un una y e a al del que en con les le se ustedes usted
        inmediatamente hola saludos buenos días tardes ahora atentamente cuanto antes yo nosotros soy estoy conforme
        rgpd para según posible agradecería agradecemos podría podrían pueden puede pido solicito ruego me personales
        aquí desde hoy haga hagan electrónico electrónicos urgente inmediata comerciales comercial esto sobre acuerdo
        ser datos muchas interesa tengo tiene hacer son va debe deben usar usarse sentido vez tipo te ahí cualquier
        próximo última último personas procuren vuelv* persona persona_correcta estaría he has ha hemos han había sido
        era fue tres tercera segunda veces día semana simplemente realmente muy bien todavía_no así entonces pues porque
        donde alguien cada siempre sin entre también ese esa aquel expresamente terminantemente formalmente urgentemente
        completo completamente mismo misma como ir dos solo próximos próxima es parec* pareci* pared* parq* part*
        parej*
    `,
    if: 'si cuando',
    instruct: 'clic haga_clic enlace responda responde pulse pinche aquí_para',
    i: 'yo nosotros',
    be: 'ser sea sean estar',
    how: 'cómo dónde',
    could: 'podr* pued* posible gustaría agradecer* agradecid* encantad* prefier* prefer* estaría',
    object: `
        harto harta hartos cansado_de indesead* no_deseado* opong* oposición oponer* oponemos rechaz* prohib* deniego
        declin* abogado denunci* aepd queja
      `,
    withdraw: 'retir* revoc* revocación',
    consent: 'consentimiento autorización permiso autorizo consiento',
    processing: 'tratamiento uso utiliz* procesamiento fines comercial* usen usar use usarlo',
    right: 'derecho artículo art rgpd ejerzo ejercer',
    but: `
        momento pero_llám sino antes hasta después mejor reunión cita factura pedido presupuesto espera antigua antiguo
        viejo tasa lunes martes miércoles jueves viernes médica todavía cliente clientes dude dudes duden primer
        primera estoy_de_baja para_mí no_queríamos no_quería
    `,
    block: 'lista_robinson lista_negra lista_de_exclusión bloque*',
    split: 'y o',
    idioms: [
      'dej\\S*(?:me|nos) (?:ya )?(?:en paz|tranquil[oa]s?)',
      'de dar la (?:lata|tabarra|brasa)',
      '(?:vay\\S*|vete|id|idos) a (?:molestar|fastidiar) a otr[oa]s?',
      'busqu\\S* (?:a )?otr[oa] (?:victima|tonto|incauto)',
      '(?:hart[oa]s?|cansad[oa]s?|aburrid[oa]s?) de (?:sus|tus|vustros|estos|tantos) (?:correos|mails|emails|mensajes)',
      '(?:me|nos) (?:tienen|teneis|tienes) (?:hart[oa]s?|cansad[oa]s?)',
      'no (?:insistan?|insistas|insistais)(?: mas)?',
      'desaparezcan de mi (?:correo|bandeja|buzon)',
      '(?:que|sois unos|sois) (?:pesados|cansinos)',
      'no es no',
    ],
  },
  { enclitics: 'me nos melo mela' },
);
