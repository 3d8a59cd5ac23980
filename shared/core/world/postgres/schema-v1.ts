/**
 * Version 1 of the schema. Keys sort by their bytes (`collate "C"`). Items and bodies of messages are texts, because
 * `jsonb` refuses NUL and changes numbers. All times of messages are the server's, so that machines need no equal clocks.
 */
export const schemaV1 = `
create table settings (name text primary key, value text not null);

create table ledger (
  partition text collate "C" not null,
  sort text collate "C" not null,
  item text not null,
  expires_at bigint,
  stamp text not null,
  primary key (partition, sort)
);
create index ledger_expiring on ledger (expires_at) where expires_at is not null;

create table ledger_calls (token text collate "C" primary key, at timestamptz not null default clock_timestamp());
create index ledger_calls_at on ledger_calls (at);

create table objects (
  key text collate "C" primary key,
  etag text not null,
  size bigint not null,
  content_type text,
  file text,
  sums bytea not null,
  body bytea,
  stamp text not null
);
alter table objects alter column body set storage external;
create index objects_by_file on objects (file) where file is not null;

create table messages (
  id bigint generated always as identity primary key,
  queue text collate "C" not null,
  group_name text collate "C" not null,
  state smallint not null,
  visible_at timestamptz,
  receives integer not null default 0,
  taker text,
  body text not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index messages_ready on messages (queue, group_name, id) where state = 0;
create index messages_hidden on messages (queue, visible_at) where state > 0;
create index messages_in_flight on messages (queue, group_name) where state = 2;

create function ring(wanted text) returns void language sql as
$$ select pg_notify('espalier_' || current_schema(), wanted) $$;

create function write_items(
  call text, partitions text[], sorts text[], acts text[], stamps text[], items text[], ends bigint[]
) returns boolean language plpgsql as $$
declare
  known text;
begin
  insert into ledger_calls (token) values (call) on conflict do nothing;
  if not found then return false; end if;
  for at in 1 .. cardinality(partitions) loop
    known := null;
    if stamps[at] is null then
      perform pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || partitions[at] || ' ' || sorts[at], 0));
    end if;
    select l.stamp into known from ledger l where l.partition = partitions[at] and l.sort = sorts[at] for update;
    if known is distinct from stamps[at] then
      raise exception 'another change came first' using errcode = 'ES409';
    end if;
  end loop;
  for at in 1 .. cardinality(partitions) loop
    if acts[at] = 'delete' then
      delete from ledger l where l.partition = partitions[at] and l.sort = sorts[at];
    elsif acts[at] = 'put' then
      insert into ledger (partition, sort, item, expires_at, stamp)
      values (partitions[at], sorts[at], items[at], ends[at], call)
      on conflict (partition, sort) do update
        set item = excluded.item, expires_at = excluded.expires_at, stamp = excluded.stamp;
    end if;
  end loop;
  return true;
end $$;

create function send_messages(wanted text, groups text[], bodies text[], delays double precision[])
returns void language plpgsql as $$
begin
  insert into messages (queue, group_name, body, state, visible_at)
  select wanted, g, b, case when d > 0 then 1 else 0 end,
    case when d > 0 then clock_timestamp() + make_interval(secs => d) end
  from unnest(groups, bodies, delays) with ordinality as m (g, b, d, n) order by n;
  perform ring(wanted);
end $$;

create function take_messages(wanted text, grave text, most integer, count integer, hidden double precision, who text)
returns table (id bigint, group_name text, body text, receives integer) language plpgsql
-- Each step reads few entries of an index, also before the table has statistics.
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
  names text[];
  loads bigint[];
  heads bigint[];
  best integer;
  got messages%rowtype;
begin
  -- A take that a crash of the server undoes is a message that comes twice: no wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if grave is not null then
    update messages m set queue = grave, state = 0, visible_at = null, taker = null
    where m.id in (
      select d.id from messages d
      where d.queue = wanted and d.state = 2 and d.visible_at <= present and d.receives >= most
      for update skip locked
    );
    if found then perform ring(grave); end if;
  end if;
  update messages m set state = 0, visible_at = null, taker = null
  where m.id in (
    select d.id from messages d
    where d.queue = wanted and d.state > 0 and d.visible_at <= present
      and (grave is null or d.state = 1 or d.receives < most)
    for update skip locked
  );
  with recursive ready (name) as (
    (select m.group_name from messages m where m.queue = wanted and m.state = 0 order by m.group_name limit 1)
    union all
    select (select m.group_name from messages m
            where m.queue = wanted and m.state = 0 and m.group_name > ready.name order by m.group_name limit 1)
    from ready where ready.name is not null
  ), busy as (
    select m.group_name as name, count(*) as load from messages m
    where m.queue = wanted and m.state = 2 group by 1
  )
  select array_agg(r.name), array_agg(coalesce(b.load, 0)),
    array_agg((select m.id from messages m
               where m.queue = wanted and m.state = 0 and m.group_name = r.name order by m.id limit 1))
  into names, loads, heads
  from ready r left join busy b on b.name = r.name where r.name is not null;
  while count > 0 loop
    best := (
      select at from generate_subscripts(names, 1) as at
      where names[at] is not null order by loads[at], heads[at] limit 1
    );
    exit when best is null;
    update messages m
    set state = 2, visible_at = present + make_interval(secs => hidden), receives = m.receives + 1, taker = who
    where m.id = (
      select n.id from messages n
      where n.queue = wanted and n.state = 0 and n.group_name = names[best] and n.id >= heads[best]
      order by n.id limit 1 for update skip locked
    )
    returning m.* into got;
    if found then
      id := got.id; group_name := got.group_name; body := got.body; receives := got.receives;
      return next;
      loads[best] := loads[best] + 1;
      heads[best] := got.id + 1;
      count := count - 1;
    else
      names[best] := null;
    end if;
  end loop;
end $$;

create function hide_message(wanted text, message bigint, times integer, hidden double precision)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  update messages m set visible_at = clock_timestamp() + make_interval(secs => hidden)
  where m.id = message and m.queue = wanted and m.state = 2 and m.receives = times
    and m.visible_at > clock_timestamp();
  if found and hidden <= 0 then perform ring(wanted); end if;
end $$;

create function drop_message(wanted text, message bigint, times integer) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from messages m
  where m.id = message and m.queue = wanted and m.state = 2 and m.receives = times
    and m.visible_at > clock_timestamp();
end $$;
`
