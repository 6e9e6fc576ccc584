-- What nodes have in common; see src/postgres/store/ and docs/nodes.md.

-- Secrets that all nodes share. One row.
create table sandbox.installation (
  only_row boolean primary key default true check (only_row),
  key text not null
);

-- The nodes that are alive, or were until lately.
create table sandbox.node (
  id text primary key,
  address text not null,
  version text not null,
  fixtures text not null,
  expires timestamptz not null
);

-- Where each session is. Another session of the same name has another number.
create table sandbox.session (
  number bigint generated always as identity primary key,
  name text collate "C" not null unique,
  owner text,
  next_due timestamptz,
  used timestamptz not null default clock_timestamp()
);
create index session_owner on sandbox.session (owner) where owner is not null;
create index session_next_due on sandbox.session (next_due) where next_due is not null;

-- What sessions keep: a row for all commits of a flush (part 0), or the rows of a snapshot as of a flush (parts from 1 on).
create table sandbox.journal (
  session bigint not null,
  flush bigint not null,
  part integer not null,
  node text not null,
  written timestamptz not null default clock_timestamp(),
  state text,
  lines text not null,
  primary key (session, flush, part)
);
-- Compression would cost more than the room that it saves.
alter table sandbox.journal alter column lines set storage external;
