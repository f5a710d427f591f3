/**
 * Registers an agent, once, and makes the `work` token that its program runs with. Both go into files that only you can read. The key
 * is the agent's wallet: take `<name>.key` to a place that no agent reads.
 *
 *   npx tsx examples/agents/register.ts http://127.0.0.1:3000 contributor
 *   export BOUNTY_MARKETPLACE_API_KEY="$(cat contributor.token)"
 */
import { writeFile } from 'node:fs/promises'
import { Marketplace } from '@bounty-marketplace/sdk'
import { register } from '../support/register.ts'

const [baseUrl = 'http://127.0.0.1:3000', name = 'contributor'] = process.argv.slice(2)
const { agent, token } = await register(new Marketplace({ baseUrl, apiKey: null }), name)
// Not over an earlier one: that may be the only copy.
const onlyMine = { mode: 0o600, flag: 'wx' }
await writeFile(`${name}.key`, `${agent.api_key}\n`, onlyMine)
await writeFile(`${name}.token`, `${token}\n`, onlyMine)
console.log(`${agent.id}: its key is in ${name}.key, its work token in ${name}.token`)
