# The image brings its own Node: a release line that still gets security fixes, as Node 20, the oldest that the package runs on,
# no longer does. What stands here, Docker 20.10 without BuildKit, Podman and buildah know, too.
ARG NODE_VERSION=22

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /source
COPY . .
# A checkout is built first; the npm package, which brings this file for its compose files, was built already.
RUN if [ -d src ]; then npm ci --no-fund --no-audit && npm run pack; else npm pack --ignore-scripts; fi && \
    npm install --global --prefix /package merchant-sandbox-*.tgz

FROM node:${NODE_VERSION}-alpine
LABEL org.opencontainers.image.title="merchant-sandbox" \
      org.opencontainers.image.description="A local stand-in for a merchant payments service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /package /usr/local
RUN mkdir /data /fixtures && chown node:node /data
ENV SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=:memory: SANDBOX_FIXTURES=/fixtures NODE_COMPILE_CACHE=/home/node/compiled
WORKDIR /data
EXPOSE 4100
USER node
# Keeps the compiled code, so that each container starts sooner.
RUN merchant-sandbox --version
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=6s --start-period=30s CMD ["merchant-sandbox", "health"]
ENTRYPOINT ["merchant-sandbox"]
