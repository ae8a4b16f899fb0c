/** JavaScript engines keep the names that CLDR first chose. These are the current names of the IANA database. */
const renamed: Record<string, string> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** The current name of a time zone. Any other text stays as it is. */
export const currentTimeZone = (name: string): string => renamed[name] ?? name;

/** Every time zone by its current name, including the chosen one. */
export function timeZoneChoices(chosen: string): { value: string; name: string }[] {
  const names = [...Intl.supportedValuesOf("timeZone"), "UTC", chosen].map(currentTimeZone);
  return [...new Set(names)].sort().map((value) => ({ value, name: value.replaceAll("_", " ") }));
}
