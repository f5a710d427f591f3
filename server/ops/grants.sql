-- What the role of the servers needs where another role owns the schema and runs `setup`. Run it as that owner, once:
-- tables of later versions get the same rights.
grant usage on schema public to bounty_server;
grant select, insert, update, delete on all tables in schema public to bounty_server;
grant usage on all sequences in schema public to bounty_server;
alter default privileges in schema public grant select, insert, update, delete on tables to bounty_server;
alter default privileges in schema public grant usage on sequences to bounty_server;
