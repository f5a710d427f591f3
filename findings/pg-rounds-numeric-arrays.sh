#!/usr/bin/env bash
# pg 8.23.1
# Expected: a numeric comes as an exact string, so an array of numeric comes as an array of exact strings, as it is with
#   bigint and bigint[].
# Happens: numeric[] is turned into floating-point numbers, and large amounts are rounded.
# Why it matters: amounts in wei need numeric. A query that gathers payouts with array_agg(amount) answers other amounts than
#   the one that reads them row by row; the difference passes every test with small ones. Cast to text[].
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline pg@8.23.1
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import pg from 'pg'

const wei = '1234567890123456789012'
// The type numbers of Postgres: what the driver does with each column of a query's answer.
const parse = (oid, text) => pg.types.getTypeParser(oid, 'text')(text)
const [numeric, numerics, bigints] = [parse(1700, wei), parse(1231, `{${wei}}`), parse(1016, '{9007199254740993}')]
console.log(`numeric: '${numeric}'; numeric[]: [${numerics}], a ${typeof numerics[0]}; bigint[]: ['${bigints}']`)
assert.equal(numeric, wei)
assert.deepEqual(bigints, ['9007199254740993'])
assert.deepEqual(numerics, [1.2345678901234568e21])
EOF
node check.mjs
