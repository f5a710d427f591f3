#!/usr/bin/env bash
# pg 8.23.1
# Expected: a time that the driver cannot read is an error, or comes as text.
# Happens: it becomes null. Postgres writes times in the DateStyle that a role or a database may have set; in all but ISO a
#   timestamptz that is there reads as one that is not.
# Why it matters: null stands for "not merged", "not paid", "not expired". A database with `alter role ... set datestyle` changes what
#   a service decides. Set DateStyle on each connection, and refuse what does not parse.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline pg@8.23.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import pg from 'pg'

// What Postgres writes for one moment, by DateStyle.
const written = {
  ISO: '2026-01-31 12:00:00+00',
  SQL: '01/31/2026 12:00:00 UTC',
  Postgres: 'Sat Jan 31 12:00:00 2026 UTC',
  German: '31.01.2026 12:00:00 UTC',
}
const timestamptz = 1184
const read = Object.entries(written).map(([style, text]) => [style, pg.types.getTypeParser(timestamptz, 'text')(text)])
for (const [style, value] of read) console.log(`${style}: ${value instanceof Date ? value.toISOString() : value}`)
assert.equal(read[0][1].toISOString(), '2026-01-31T12:00:00.000Z')
assert.deepEqual(
  read.slice(1).map(([, value]) => value),
  [null, null, null],
)
EOF
node check.mjs
