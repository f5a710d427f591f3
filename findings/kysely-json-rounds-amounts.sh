#!/usr/bin/env bash
# kysely 0.28.18 with pg 8.23.1 (on Postgres as packed in @electric-sql/pglite 0.5.14, pglite-socket 0.2.17)
# Expected: a column has one type in a query's answer, whether it is selected or comes inside jsonObjectFrom of the same table.
# Happens: numeric, bigint and timestamptz are an exact string, an exact string and a Date when selected, and a rounded number,
#   a rounded number and a string inside the JSON: Postgres writes bare digits there and JSON.parse rounds them.
# Why it matters: a bounty's amount in wei changes when a query is rewritten to fetch a bounty's payouts along with it, and
#   small test amounts do not show it. Cast amounts to text inside such helpers.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline kysely@0.28.18 pg@8.23.1 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { Kysely, PostgresDialect } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import pg from 'pg'

const postgres = await PGlite.create()
await postgres.exec('create table bounty (wei numeric, serial bigint, paid timestamptz)')
await postgres.exec("insert into bounty values (1234567890123456789012, 9007199254740993, '2026-01-01T00:00:00Z')")
const server = new PGLiteSocketServer({ db: postgres, port: 0, host: '127.0.0.1' })
await server.start()
const port = Number(server.getServerConn().split(':').pop())
const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 1 })
const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
const { inside, ...selected } = await db
  .selectFrom('bounty')
  .selectAll()
  .select((eb) => jsonObjectFrom(eb.selectFrom('bounty as same').selectAll()).as('inside'))
  .executeTakeFirstOrThrow()
await db.destroy()
await server.stop()
await postgres.close()
console.log('selected:', selected.wei, selected.serial, selected.paid, '| inside:', inside.wei, inside.serial, inside.paid)
assert.equal(selected.wei, '1234567890123456789012')
assert.equal(selected.serial, '9007199254740993')
assert.ok(selected.paid instanceof Date)
assert.deepEqual([inside.wei, inside.serial, typeof inside.paid], [1.2345678901234568e21, 9007199254740992, 'string'])
EOF
node check.mjs
