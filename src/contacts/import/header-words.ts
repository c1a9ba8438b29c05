import { slugOf } from '../field-key.ts';

/** A field that contacts have without custom fields, or a part of one. */
type StandardField = 'email' | 'name' | 'first_name' | 'last_name' | 'company';

/**
 * Slugs of the headers that people and other programs use, by language. Outlook, Excel lists, HubSpot and Pipedrive are covered in each
 * language. Google Contacts, LinkedIn, Apollo, Instantly and Mailchimp write English headers.
 */
const WORDS: Record<StandardField, string[]> = {
  email: [
    'email e_mail mail email_address e_mail_address emailaddress primary_email work_email email_work business_email email_1',
    'e_mail_1_value person_email person_email_work',
    'e_mail_adresse emailadresse mailadresse mail_adresse person_e_mail_adresse person_e_mail_adresse_buero person_e_mail_adresse_arbeit',
    'courriel mel adresse_e_mail adresse_email adresse_mail adresse_courriel adresse_de_messagerie adresse_electronique',
    'correo correo_electronico direccion_de_correo direccion_de_correo_electronico direccion_de_email',
    'posta_elettronica indirizzo_e_mail indirizzo_email indirizzo_mail indirizzo_di_posta_elettronica',
    'e_mailadres emailadres mailadres e_mail_adres',
    'adres_e_mail adres_email adres_mailowy poczta_elektroniczna adres_poczty_elektronicznej',
    'endereco_de_e_mail endereco_de_email correio_eletronico endereco_de_correio_eletronico',
  ],
  name: [
    'name full_name fullname contact_name contact display_name person_name',
    'vollstaendiger_name voller_name ansprechpartner kontakt kontaktname',
    'nom nom_complet nom_et_prenom prenom_et_nom nom_du_contact',
    'nombre nombre_completo nombre_y_apellidos contacto nombre_del_contacto',
    'nome nome_completo nome_e_cognome nominativo contatto',
    'naam volledige_naam contactpersoon',
    'imie_i_nazwisko nazwisko_i_imie osoba_kontaktowa pelne_imie_i_nazwisko',
    'nome_e_sobrenome contato',
  ],
  first_name: ['first_name firstname given_name first', 'vorname rufname', 'prenom', 'primer_nombre', 'voornaam', 'imie', 'primeiro_nome'],
  last_name: [
    'last_name lastname surname family_name last',
    'nachname familienname zuname',
    'nom_de_famille',
    'apellido apellidos',
    'cognome',
    'achternaam familienaam',
    'nazwisko',
    'sobrenome apelido ultimo_nome',
  ],
  company: [
    'company company_name companyname organization organisation organization_name organisation_name organization_1_name employer',
    'account_name person_organization person_organisation',
    'firma firmenname unternehmen unternehmensname name_des_unternehmens name_der_firma',
    'societe entreprise nom_de_l_entreprise nom_de_la_societe nom_de_l_organisation',
    'empresa nombre_de_la_empresa nombre_de_empresa compania organizacion nombre_de_la_organizacion',
    'azienda nome_azienda nome_dell_azienda societa nome_societa ragione_sociale organizzazione',
    'bedrijf bedrijfsnaam organisatie naam_bedrijf',
    'nazwa_firmy nazwa_organizacji organizacja przedsiebiorstwo',
    'nome_da_empresa organizacao',
  ],
};

const FIELDS: ReadonlyMap<string, StandardField> = new Map(
  Object.entries(WORDS).flatMap(([field, words]) =>
    words.flatMap((line) => line.split(' ')).map((word): [string, StandardField] => [word, field as StandardField]),
  ),
);

/** Words for the whole name that mean one part of it if the word for the other part is also a header, and the field that they mean then. */
const PARTS: Record<string, { beside: string[]; is: StandardField }> = {
  name: { beside: ['vorname'], is: 'last_name' },
  nom: { beside: ['prenom'], is: 'last_name' },
  naam: { beside: ['voornaam'], is: 'last_name' },
  nombre: { beside: ['apellido', 'apellidos'], is: 'first_name' },
  nome: { beside: ['cognome', 'sobrenome', 'apelido'], is: 'first_name' },
};

/**
 * Returns the standard field that the header of a column names, in any of the languages in which programs export.
 * @param others the headers of all columns, which decide which part of a name is meant
 */
export function standardField(header: string, others: readonly string[] = []): StandardField | undefined {
  const slug = slugOf(header);
  const field = FIELDS.get(slug);
  const part = field === 'name' ? PARTS[slug] : undefined;
  if (part === undefined) return field;
  const slugs = others.map(slugOf);
  const isTaken = slugs.some((other) => FIELDS.get(other) === part.is);
  return !isTaken && slugs.some((other) => part.beside.includes(other)) ? part.is : field;
}
