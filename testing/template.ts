/** The name of the migrated, empty database behind the tests' one (testing/setup.ts). */
export const templateOf = (database: string) => `${database}_template`;

/** SQL that copies the template of a database. It takes a tenth of the time of the migrations. Other strategies don't. */
export const copyOfTemplate = (name: string, of: string) =>
  `CREATE DATABASE ${name} TEMPLATE ${templateOf(of)} STRATEGY FILE_COPY`;
