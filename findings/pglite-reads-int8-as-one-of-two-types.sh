#!/usr/bin/env bash
# @electric-sql/pglite 0.5.17
# Expected: a column of int8 comes as one type of JavaScript: text, as pg reads it, or bigint.
# Happens: each value chooses. Up to 9007199254740991 it is a number, above it a bigint, in the same column of the same result.
# Why it matters: sums and JSON of balances work with every small one and throw a TypeError on the first large one ("Cannot mix BigInt
#   and other types", "Do not know how to serialize a BigInt"), so it is the big accounts that break. Set a parser for int8.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline @electric-sql/pglite@0.5.17
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { PGlite, types } from '@electric-sql/pglite'

const db = await PGlite.create()
await db.exec('create table account (balance int8 not null)')
await db.exec('insert into account values (9007199254740991), (9007199254740992)')
const read = async (options) => (await db.query('select balance from account order by 1', [], options)).rows.map((row) => row.balance)
const balances = await read()
console.log(balances.map((balance) => `${balance} is a ${typeof balance}`).join(', '))
assert.deepEqual(balances.map((balance) => typeof balance), ['number', 'bigint'])
assert.throws(() => balances.reduce((sum, one) => sum + one), TypeError)
assert.throws(() => JSON.stringify(balances), TypeError)
assert.deepEqual(await read({ parsers: { [types.INT8]: (text) => text } }), ['9007199254740991', '9007199254740992'])
await db.close()
EOF
node check.mjs
