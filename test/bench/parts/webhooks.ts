import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { createWalletVault } from '../../../server/crypto/wallet-vault.ts'
import { newWebhookSecret, sealSecrets } from '../../../server/events/webhooks/sealing.ts'
import { newId } from '../../../server/ids.ts'
import type { Bench } from '../harness/bench.ts'
import { connect } from '../harness/postgres.ts'
import { cpuSeconds } from '../harness/proc.ts'
import { goal, type PartResult } from '../harness/results/report.ts'
import { show } from '../harness/results/statistics.ts'
import { createBenchAgents } from './claimable.ts'

/** The master key under which {@link createWebhooks} seals secrets. */
const masterKey = 'the master key of the benchmark, long enough'

/** Deliveries that one process makes to receivers on this machine that respond at once, from the commit of their events on. */
export async function webhooks(bench: Bench): Promise<PartResult> {
  const { quick } = bench.options
  const [webhookCount, events] = quick ? [20, 500] : [200, 20_000]
  const url = await bench.postgres.create('bench_webhooks')
  const client = await connect(url)
  const arrived = new Set<string>()
  let requests = 0
  const receiver = createServer((request, response) => {
    requests++
    arrived.add(String(request.headers['webhook-id']))
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const server = await bench.start(url, { WALLET_MASTER_KEY: masterKey, WEBHOOKS_ALLOW_LOOPBACK: 'true' })
  try {
    const agents = (await createBenchAgents(url, webhookCount)).map(({ id }) => id)
    await createWebhooks(client, agents, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    const cpu = cpuSeconds(server.pid)
    const started = performance.now()
    await client.query(
      `insert into activity (id, type, agent_id)
       select id, 'agent.registered', ($2::text[])[1 + n % $3::int]
         from unnest($1::text[]) with ordinality as made (id, n)`,
      [Array.from({ length: events }, () => newId('activity')), agents, agents.length],
    )
    while (arrived.size < events) await delay(5)
    const seconds = (performance.now() - started) / 1000
    const cpuMicros = ((cpuSeconds(server.pid) - cpu) * 1e6) / events
    const perMinute = (events / seconds) * 60
    const counts = [webhookCount, events, requests].map(String)
    return {
      tables: [
        {
          title: 'Webhooks: one process, receivers that respond at once',
          columns: ['webhooks', 'events', 'requests', 'seconds', 'deliveries a minute', 'node µs a delivery'],
          rows: [[...counts, show(seconds), show(perMinute, 5), show(cpuMicros)]],
        },
      ],
      findings: [goal('deliveries', perMinute, '≥', 10_000, 'a minute')],
      data: { webhookCount, events, requests, seconds, cpuMicros },
    }
  } finally {
    await server.stop()
    receiver.close()
    await client.end()
  }
}

/** Creates a webhook of each agent, past the challenge. */
async function createWebhooks(client: Client, agents: string[], receiver: string): Promise<void> {
  const vault = createWalletVault(masterKey, 1)
  for (const agent of agents) {
    const id = newId('webhook')
    const sealed = sealSecrets(vault, id, { current: newWebhookSecret(), previous: null })
    await client.query(
      'insert into webhooks (id, agent_id, url, sealed_secrets, key_version) values ($1, $2, $3, $4, $5)',
      [id, agent, receiver, sealed.sealed_secrets, sealed.key_version],
    )
  }
}
