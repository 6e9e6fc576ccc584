# The image brings its own Node: a release line that still gets security fixes, as Node 20, the oldest that the package runs on,
# no longer does. What stands here, Docker 20.10 without BuildKit, Podman and buildah know, too.
ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY scripts/no-analytics/package.json scripts/no-analytics/
COPY test/http/openapi/generators/package.json test/http/openapi/generators/
RUN npm ci --no-fund --no-audit
COPY . .
RUN npm run pack && npm install --global --prefix /package merchant-sandbox-*.tgz

FROM node:${NODE_VERSION}-alpine
LABEL org.opencontainers.image.title="merchant-sandbox" \
      org.opencontainers.image.description="A local stand-in for a merchant payments service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /package /usr/local
RUN mkdir /data /fixtures && chown node:node /data
ENV SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=/data/state.json SANDBOX_FIXTURES=/fixtures
WORKDIR /data
VOLUME /data
EXPOSE 4100
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=6s --start-period=30s CMD ["merchant-sandbox", "health"]
ENTRYPOINT ["merchant-sandbox"]
