/** The name of the migrated, empty database behind the tests' one (testing/setup.ts). */
export const templateOf = (database: string) => `${database}_template`;

/** SQL that copies a template. It takes a tenth of the time of the migrations. Other strategies don't. */
export const copyOfTemplate = (name: string, template: string) =>
  `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
