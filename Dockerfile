# The image that the Action runs in. `image/build` builds it, `image/try` also where there is no registry to pull from.
#
# The base is pinned by the digest of its index (linux/amd64, linux/arm64): Python 3.14.7 on Debian 12. We have not pulled
# it ourselves: several public projects pin this digest for the tags python:3.14.7-slim-bookworm and
# python:3.14-slim-bookworm, and two of them state that it is the index. To find a newer one:
# `docker buildx imagetools inspect python:3.14-slim-bookworm`; Dependabot does not see a base behind ARG
# (https://github.com/dependabot/dependabot-core/issues/2057).
ARG BASE=docker.io/library/python:3.14-slim-bookworm@sha256:23c59390fc717bf09f9336908199a0ae75d9c4264bf296123f94ad772fea3b52

# 1. Installs the locked packages, and Review Bot as the wheel that it is built into, below /out.
FROM ${BASE} AS build
COPY requirements/run.txt requirements/build.txt /src/requirements/
RUN python3.14 -m pip install --root-user-action ignore --no-input --require-hashes --only-binary :all: --no-compile \
        --ignore-installed --prefix /out --requirement /src/requirements/run.txt \
 && python3.14 -m pip install --root-user-action ignore --no-input --require-hashes --only-binary :all: --requirement /src/requirements/build.txt
COPY pyproject.toml hatch_build.py README.md LICENSE /src/
COPY rules /src/rules
COPY contracts /src/contracts
COPY review_bot /src/review_bot
RUN cd /src \
 && PYTHONPATH=/out/lib/python3.14/site-packages python3.14 -m hatchling build --target wheel --directory /wheel \
 && python3.14 -m pip install --root-user-action ignore --no-input --no-index --no-deps --no-compile --prefix /out /wheel/*.whl

# 2. Takes away what the Action never runs, adds Review Bot, and compiles every module that is left.
FROM ${BASE} AS trim
COPY image/trim.py /trim.py
COPY --from=build /out/lib/python3.14/site-packages /added
RUN python3.14 /trim.py /added && rm -rf /trim.py /added

# 3. One layer: what was taken away above is not in it.
FROM scratch
COPY --from=trim / /
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
ARG VERSION=0.0.0+unreleased
ARG REVISION=
LABEL org.opencontainers.image.title="Review Bot" \
      org.opencontainers.image.description="Reviews the change of a pull request by rules and gates the merge." \
      org.opencontainers.image.source="https://github.com/review-bot/review-bot" \
      org.opencontainers.image.documentation="https://github.com/review-bot/review-bot/blob/main/docs/github.md" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# No USER and no WORKDIR: the runner mounts files that only root may write, and sets the folder itself
# (https://docs.github.com/en/actions/reference/workflows-and-actions/dockerfile-support). The worker that looks at the
# change gives its rights away by itself. -I: neither the workspace nor the environment adds to what Python imports.
ENTRYPOINT ["/usr/local/bin/python3.14", "-I", "-m", "review_bot"]
CMD ["action"]
