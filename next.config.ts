import type { NextConfig } from "next";

const headers = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  // Not no-referrer: a browser then sends "Origin: null" with our own forms, and the front door refuses them.
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
];

/** Pages get theirs from the middleware, with a nonce. What it does not see has no scripts to allow. */
const policy = [{ key: "Content-Security-Policy", value: "frame-ancestors 'none'" }];

const config: NextConfig = {
  // Closes /_next/image, which nothing uses.
  images: { unoptimized: true },
  poweredByHeader: false,
  // Otherwise a slow title would come after the page, by a script that reader pages don't have.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // `npm run check` finds them, in the tests too. Here they would only make the first start slower.
  typescript: { ignoreBuildErrors: true },
  // The log tells of each request, in development too.
  logging: { incomingRequests: false },
  agentRules: false,
  experimental: {
    // The middleware reads whole bodies before any door, so no form may exceed the limit of actions.
    proxyClientMaxBodySize: "1mb",
    // Loading every page takes a second of CPU and 100 MB when the server is already answering.
    preloadEntriesOnStart: false,
  },
  // Native code, and files beside the code.
  serverExternalPackages: ["@resvg/resvg-js", "satori"],
  turbopack: { root: import.meta.dirname },
  // The API says itself what its answers carry, and its document says nothing of these.
  headers: async () => [
    { source: "/((?!api/).*)", headers },
    { source: "/_next/:path*", headers: policy },
  ],
};

export default config;
