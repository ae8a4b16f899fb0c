import type { NextConfig } from "next";

const headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Content-Security-Policy", value: "frame-ancestors 'none'" },
  // Not no-referrer: a browser then sends "Origin: null" with our own forms, and the front door refuses them.
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
];

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` finds them, in the tests too; here they would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
  agentRules: false,
  turbopack: { root: import.meta.dirname },
  headers: async () => [{ source: "/:path*", headers }],
};

export default config;
