// Which module may import which. `npm run check` prints the comments, which say where the import belongs instead. The wall's own
// name, acrossWorkspaces, is guarded in eslint.config.mjs, which sees names and not just files.

/** Files that know nothing of workspaces: anyone may use them, and they use only each other. */
const pure =
  "^lib/(errors|env|limits|log|nearest|say|secrets|taken|threads/start|log/(positions|readable|scrub)|http/(compression|host|markdown-path|network|request|return-path|user-agents)|api-keys/(key-format|scopes)|settings/languages|members/passwords)\\.ts$";
const doors = "^lib/(site|session|api/keys)\\.ts$|^lib/session/";
const signIn = "^lib/sign-in/";
const db = "^lib/db\\.ts$";
const dbParts = "^lib/db/";
const tests =
  "\\.test\\.tsx?$|^testing/|^packages/client/src/testing\\.ts$|^app/api/external/testing\\.changes\\.ts$|^e2e/|^tools/(fuzz|trial|faults|screenshots)[./]";

/** A package as it is written, or as a path when it is installed. */
const npm = (name) => `(^|node_modules/)${name}(/|\\.js$|$)`;

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const surfaces = {
  reader: "^app/sites/\\[workspace\\]/\\(reader\\)/",
  admin: "^app/sites/\\[workspace\\]/admin/",
  external: "^app/api/external/",
  apex: "^app/\\(apex\\)/",
};

export default {
  forbidden: [
    ...Object.entries(surfaces).map(([name, folder]) =>
      rule(
        `surface-${name}`,
        "A surface is nobody else's building block. What two of them need belongs in lib (what is true) or components " +
          "(how it looks).",
        { path: "^app/", pathNot: [folder, tests] },
        { path: folder },
      ),
    ),
    rule(
      "v2-without-v1",
      "v1 may lean on v2, never the other way: a version is a folder that can be deleted. Move what both need into v2.",
      { path: "^app/api/external/v2/" },
      { path: "^app/api/external/v1/" },
    ),
    rule(
      "external-without-next",
      "Handlers of the external API are functions of Request and Response, called without Next too. What needs Next " +
        "belongs in a page or an action.",
      { path: "^(app/api/external|lib/api)/", pathNot: tests },
      { path: [npm("next"), npm("next-auth"), npm("react")] },
    ),
    rule(
      "programs-are-not-parts",
      "bin, server.ts, middleware.ts, prisma and e2e are started, not imported. What others need of them belongs in lib.",
      { path: "^(app|components|lib|middleware)", pathNot: tests },
      { path: "^(bin|tools|prisma|e2e)/|^(server|middleware)\\.ts$" },
    ),
    rule(
      "programs-without-components",
      "A program draws nothing. Give it the noun in lib that the component shows. Only server/documents may use components, because it renders pages for visitors.",
      { path: "^(bin|tools|server)/|^server\\.ts$", pathNot: "^server/documents/" },
      { path: "^components/" },
    ),

    rule(
      "components-without-app",
      "A component is used by pages and knows none. Hand it what it needs, such as an action, as a prop.",
      { path: "^components/" },
      { path: "^app/" },
    ),
    rule(
      "components-without-lib",
      "A component is given its data and fetches none: import only types of lib, and do the rest in the page.",
      { path: "^components/", pathNot: [tests, "^components/admin/editor/"] },
      // It writes texts that a component is given, and knows none itself.
      { path: "^lib/", pathNot: "^lib/say\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "editor-with-content",
      // Its schema is the allow-list's, and what is pasted is read as what is imported. Both are text into text.
      "The editor is given its data and fetches none: of lib it may import lib/content, and types. Hand it the rest as a prop.",
      { path: "^components/admin/editor/", pathNot: tests },
      { path: "^lib/", pathNot: "^lib/content/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "components-without-db",
      "A component knows no database, not even its types: the noun in lib exports the type of what it gives.",
      { path: "^components/", pathNot: tests },
      { path: [db, "^lib/generated/"] },
    ),
    rule(
      "ui-alone",
      "components/ui knows no word of the product: what does belongs in components/reader or components/admin.",
      { path: "^components/ui/" },
      { path: "^(app|lib|server|bin|prisma)/|^components/(?!ui/)" },
    ),

    rule(
      "lib-without-server",
      "server/ runs the process: what a page, an operation or a noun needs of it belongs in lib.",
      { path: "^(app|components|lib|middleware)", pathNot: tests },
      { path: "^server/" },
    ),
    rule(
      "lib-without-app",
      "lib is below app and components. Move what it needs down into lib, or do the work in the page or action.",
      { path: "^lib/" },
      { path: "^(app|components)/" },
    ),
    rule(
      "lib-without-next",
      "A noun answers programs as well as pages. What needs Next belongs in a door (lib/site.ts, lib/session.ts), in " +
        "lib/sign-in, a page or an action.",
      { path: "^lib/", pathNot: [tests, doors, signIn, "^lib/api/"] },
      { path: [npm("next"), npm("next-auth"), "^lib/(site|session)[./]", signIn] },
    ),
    rule(
      "lib-without-api",
      "lib/api turns nouns into HTTP and nothing below HTTP needs it. Errors with a meaning belong in lib/errors.ts.",
      { path: "^lib/(?!api/)", pathNot: tests },
      { path: "^lib/api/" },
    ),
    rule(
      "doors-without-nouns",
      "A door proves who is asking and does nothing for them: call the noun from the page or action that opened the door.",
      { path: "^lib/(site|session)\\.ts$|^lib/session/" },
      {
        path: "^lib/",
        pathNot: [pure, doors, db, "^lib/(visibility|members/two-step-rule|workspaces/public-workspace)\\.ts$"],
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "sign-in-without-nouns",
      "lib/sign-in proves who a person is and starts a session: what a member does afterwards belongs in lib/members.",
      { path: signIn, pathNot: tests },
      {
        path: "^lib/",
        pathNot: [pure, doors, db, signIn, "^lib/(audit/audit|delays|members/(passkey-answers|two-step-codes))\\.ts$"],
      },
    ),
    rule(
      "api-without-nouns",
      "lib/api knows no word of the product: call the noun in the operation's handle, in app/api/external.",
      { path: "^lib/api/", pathNot: tests },
      { path: "^lib/", pathNot: [pure, db, "^lib/(counters|visibility)\\.ts$", "^lib/api/"] },
    ),
    rule(
      "content-alone",
      "lib/content turns text into text: read and write in the noun that calls it.",
      { path: "^lib/content/", pathNot: tests },
      { path: "^lib/", pathNot: [pure, "^lib/content/"] },
    ),
    rule(
      "search-without-nouns",
      "Nouns use lib/search, not the other way: hand it what it needs as an argument.",
      { path: "^lib/search/", pathNot: tests },
      { path: "^lib/", pathNot: [pure, db, "^lib/jobs\\.ts$", "^lib/(search|content)/"] },
    ),
    rule(
      "threads-alone",
      "Threads that work on texts have no database: hand them what they need as arguments.",
      { path: "^lib/threads/", pathNot: tests },
      { path: "^lib/", pathNot: [pure, "^lib/(threads|content)/", "^lib/search/documents\\.ts$"] },
    ),
    rule(
      "documents-alone",
      "Search documents are made in threads without a database: store them in the module that calls this one.",
      { path: "^lib/search/documents\\.ts$" },
      { path: "^lib/", pathNot: "^lib/search/(lexemes|words)\\.ts$" },
    ),
    rule(
      "import-on-top",
      "lib/import uses nouns, not the other way: what both need belongs in the noun or in lib/content.",
      { path: "^lib/(?!import(-export)?/)", pathNot: tests },
      { path: "^lib/import/" },
    ),
    rule(
      "pure-helpers",
      "This file is used where there is no database (middleware, settings, components): what needs more is a noun.",
      { path: pure },
      { path: "^(lib|app|components)/", pathNot: pure },
    ),
    rule(
      "generated-behind-db",
      "Prisma's generated client is lib/db.ts's own affair: take the type Db from there, or declare what the noun gives.",
      { pathNot: [db, "^lib/generated/"] },
      { path: "^lib/generated/" },
    ),
    rule(
      "drivers-behind-db",
      "A connection of one's own has no wall around it: ask through inWorkspace or readWorkspace (lib/db.ts).",
      {
        pathNot: [
          db,
          dbParts,
          "^lib/generated/",
          "^server/(backup|migrate|postgres|jobs/worker)[/.]",
          "^(bin|tools|prisma)/",
          tests,
        ],
      },
      { path: [npm("pg"), npm("@prisma/(client|adapter-pg)")] },
    ),
    rule(
      "db-parts-behind-db",
      "The parts of lib/db.ts are its own: ask through inWorkspace or readWorkspace.",
      { pathNot: [db, dbParts] },
      { path: dbParts },
    ),
    rule(
      "middleware-alone",
      "The middleware runs before every page: it resolves the host and decides nothing. Ask the database in a door.",
      { path: "^middleware\\.ts$" },
      { pathNot: ["^lib/(http/(compression|host|markdown-path)|session/cookie)\\.ts$", npm("next/server")] },
    ),

    rule(
      "client-alone",
      "The client is a package of its own for programs elsewhere: it needs a fetch and nothing else, neither of the " +
        "product nor of npm. What it must know of the API is in the document its types are made from.",
      { path: "^packages/client/src/", pathNot: tests },
      { pathNot: "^packages/client/src/" },
    ),
    rule(
      "product-without-client",
      "The product asks itself no questions by HTTP: call the noun in lib. The client is for other programs and for tests.",
      { pathNot: ["^packages/", tests] },
      { path: "^packages/" },
    ),

    rule(
      "tests-are-not-parts",
      "The test kit is for tests: what the product needs of it belongs in a noun.",
      // The benchmark of the admin UI starts a server as the tests do.
      { pathNot: [tests, "^tools/bench/"] },
      { path: tests },
    ),
    rule(
      "lib-ground",
      "A file at the top of lib is what its folders stand on: it may use other such files, and its own folder. What " +
        "needs a noun belongs in that noun's folder.",
      { path: "^lib/([^/]+)\\.ts$", pathNot: [tests, doors] },
      { path: "^lib/[^/]+/", pathNot: [pure, "^lib/$1/", "^lib/generated/"] },
    ),
    rule(
      "no-cycle",
      "Two files that need each other are one, or hide a third below both: move what both need there.",
      {},
      { circular: true },
    ),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^lib/generated/"] },
    exclude: { path: "^(\\.next|(packages/client/)?dist|\\.data)/" },
    // Imports of types count too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "types", "default"],
    },
  },
};
