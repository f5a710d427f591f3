#!/usr/bin/env bash
# postgres 3.4.9 (postgres.js; on Postgres as packed in @electric-sql/pglite 0.5.14, pglite-socket 0.2.17)
# Expected: a bigint of JavaScript, which has no limit, goes into a numeric column as it is; pg takes the same one.
# Happens: the driver declares every bigint as int8 before Postgres can say what the column is. 9 ETH in wei are stored, 10 ETH are
#   refused: "value ... is out of range for type bigint".
# Why it matters: amounts of tests are small. The first payment above 9.22 tokens of 18 decimals fails where it is written down, which
#   may be after it was sent. Hand amounts over as text.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline postgres@3.4.9 pg@8.23.1 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import pg from 'pg'
import postgres from 'postgres'

const db = await PGlite.create()
await db.exec('create table payment (wei numeric not null)')
const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1' })
await server.start()
const port = Number(server.getServerConn().split(':').pop())
const ether = 10n ** 18n
const outcomeOf = (writing) => writing.then(() => 'stored', (error) => `${error.code} ${error.message}`)

const sql = postgres({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres', max: 1, ssl: false })
const outcomes = []
for (const wei of [9n * ether, 10n * ether, String(10n * ether)])
  outcomes.push(await outcomeOf(sql`insert into payment values (${wei})`))
await sql.end()
const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
await client.connect()
outcomes.push(await outcomeOf(client.query('insert into payment values ($1)', [10n * ether])))
await client.end()
await server.stop()
await db.close()
const names = ['postgres, 9 ETH', 'postgres, 10 ETH', 'postgres, 10 ETH as text', 'pg, 10 ETH']
for (const [index, name] of names.entries()) console.log(`${name}: ${outcomes[index]}`)
assert.deepEqual([outcomes[0], outcomes[2], outcomes[3]], ['stored', 'stored', 'stored'])
assert.match(outcomes[1], /^22003 .*out of range for type bigint/)
EOF
node check.mjs
