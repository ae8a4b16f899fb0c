/** How esbuild bundles the scripts of readers' pages. */
export const scriptOptions = {
  entryPoints: { main: "components/reader/scripts/main.ts" },
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  platform: "browser",
  // Browsers that can do what the stylesheet needs.
  target: ["chrome120", "firefox120", "safari17"],
  format: "esm",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  logLevel: "error",
};
