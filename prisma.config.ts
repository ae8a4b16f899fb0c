import { defineConfig } from "prisma/config";

// Read before the engine is looked for: `generate`, `validate` and `format` need none, and where its download is out
// of reach they would fail on it. Migrations are applied by server/migrate.ts.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
process.env.CHECKPOINT_DISABLE ??= "1";

export default defineConfig({ schema: "prisma/schema.prisma" });
