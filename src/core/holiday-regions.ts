/** Countries (ISO 3166-1) whose parts have the same public holidays. */
const UNIFORM_COUNTRIES = `
AE AI AL AM AO AR AS AW AX AZ BB BD BF BG BH BI BJ BL BM BN BS BW BY BZ CC CD CF CG CI CM CN CO CR CU CW CX CY CZ DJ
  DK DM DO DZ EE EG EH ER ET FI FJ FO GA GD GE GF GG GH GI GL GM GN GP GQ GR GU GW GY HK HN HT HU ID IE IL IM IR IS JE
  JM JP KE KM KN KR KY KZ LC LI LK LR LS LT LU LV LY MA MC ME MF MG MK ML MQ MR MS MT MU MW MX MZ NA NC NE NF NG NI NO
  PA PF PH PL PM PR PT PY RE RO RS RW SA SC SD SE SG SI SJ SK SL SM SN SR SS ST SX SZ TC TD TG TH TN TO TR TT TW TZ UA
  UG UY UZ VA VC VG VI VN VU WF XK YT ZA ZM ZW
`;

/** Countries with parts (ISO 3166-2), or regions of such parts, that have holidays of their own. */
const REGIONAL_COUNTRIES = `
AD: 03 07
AG: 10
AT: 1 2 3 4 5 6 7 8 9
AU: ACT NSW NT QLD SA TAS VIC WA
BA: BIH BIH-W BRC SRP
BE: BRU DE VLG WAL
BO: B C H L N O P S T
BQ: BO SA SE
BR: AC AL AM AP BA CE DF ES GO GO-GOIANIA MA MG MG-BH MS MT PA PB PE PE-RE PI PR PR-CU RJ RJ-RJ RN RO RR RS SC SE SP
  SP-SP TO
CA: AB BC MB NB NL NS NT NU ON PE QC SK YT
CH: AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH
CK: Aitutaki Atiu Mangaia Manihiki Mitiaro Palmerston Penrhyn Pukapuka Rakahanga Rarotonga
CL: AP BI BI-CH NU NU-CH TA
CV: S S-PR
DE: BB BE BW BY BY-A BY-EVANG BY-KATH HB HE HH MV NI NW RP SH SL SN SN-BZ ST TH TH-EIC TH-UH TH-WAK
EC: P P-QU
ES: AN AR AS CB CE CL CM CN CN-EH CN-FU CN-GC CN-LA CN-LG CN-LP CN-TE CT CT-B EX GA IB MC MD ML NC PV RI VC
FR: 57 67 68 BL GF GP MF MQ RE YT
GB: ALD ENG NIR SCT WLS
GT: 1 1-101 1-102 1-103 1-104 1-105 1-106 1-107 1-108 1-109 1-110 1-111 1-112 1-113 1-114 1-115 1-116 1-117
HR: 17 19
IC: EH FU GC LA LG LP TE
IN: AN AP AR AS BR CH CT DD DL DN GA GJ HP HR JK KA KL LD MH ML MN MP MZ NL OR PB PY RJ SK TG TN TR UP UT WB
IT: 21 21-TO 25 25-MI 32 52 52-FI 62 62-RM 82 82-PA
MD: CA CU
MY: 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16
NL: GR GR-GRN NH NH-ALK ZH ZH-BRL ZH-LDN
NZ: AUK BOP CAN CAN-Timaru CIT GIS HKB MBH MWT NSN NTL OTA STL TAS TKI WGN WKO WTC WTC-Buller
PE: CUS
PK: BA GB IS JK KP PB SD
RU: AD AL BA BEL BRY BU CE CR CU DA IN IRK KB KC KDA KL KO KR MR NO OMS PNZ SA SAR SEV STA TA TY ZAB
SH: AC HL TA
SO: AW SA SO TO WO
SV: SS
US: AK AL AR AZ CA CA-LA CO CT DC DE FL GA HI IA ID IL IN KS KY LA LA-NO MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV
  NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY
VE: B G K K-BA M N S V
`;

/**
 * The parts of each country whose public holidays are known, such as `BY` and `BY-A` of `DE`. Listed here so that checking a name does not
 * load the rules. A test compares them with date-holidays.
 */
export const HOLIDAY_REGIONS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...words(UNIFORM_COUNTRIES).map((country) => [country, []] as const),
  ...REGIONAL_COUNTRIES.trim()
    .split(/\n(?! )/)
    .map((line) => [line.slice(0, 2), words(line.slice(3))] as const),
]);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** All regions as a pattern for the OpenAPI document. */
export const REGION_PATTERN = `^(?:${[...HOLIDAY_REGIONS]
  .map(([country, parts]) => (parts.length === 0 ? country : `${country}(?:-(?:${parts.join('|')}))?`))
  .join('|')})$`;

/**
 * Explains why a text is not a region with known holidays; returns null if it is one: a country (ISO 3166-1), a part of one (ISO 3166-2) or
 * a region of such a part, as in `DE`, `DE-BY` and `DE-BY-A`.
 */
export function regionFault(region: string): string | null {
  const [country = '', ...rest] = region.split('-');
  const parts = HOLIDAY_REGIONS.get(country);
  if (parts === undefined) return `there is no country "${country}"; give a code of ISO 3166 such as DE, or DE-BY for a part of it`;
  const part = rest.join('-');
  if (rest.length === 0 || parts.includes(part)) return null;
  return `${country} has no part "${part}"; ${parts.length === 0 ? `give ${country}` : `its parts are ${parts.join(', ')}`}`;
}
