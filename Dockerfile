# tine with everything it needs. Build: docker build -t tine .
# Use: docker run --rm -v "$PWD:/src" -w /src tine test unit.c --fn f
FROM debian:bookworm AS base
RUN apt-get update -q && apt-get install -y -q --no-install-recommends ca-certificates curl gnupg \
    && curl -fsSL https://apt.llvm.org/llvm-snapshot.gpg.key -o /etc/apt/trusted.gpg.d/llvm.asc \
    && echo "deb https://apt.llvm.org/bookworm/ llvm-toolchain-bookworm-22 main" >/etc/apt/sources.list.d/llvm.list \
    && apt-get update -q \
    && apt-get install -y -q --no-install-recommends clang-22 gcc gdb libc6-dev libgmp10 libllvm22 z3 \
    && rm -rf /var/lib/apt/lists/*

FROM base AS build
RUN curl -fsSL https://sh.rustup.rs | sh -s -- -y --profile minimal --default-toolchain none
ENV PATH=/root/.cargo/bin:$PATH
WORKDIR /tine
COPY . .
RUN apt-get update -q && make setup && make install PREFIX=/usr/local DESTDIR=/installed

FROM base
COPY --from=build /installed/ /
WORKDIR /src
ENTRYPOINT ["tine"]
