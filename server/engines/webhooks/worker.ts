import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { attempt } from '../../crypto/reseal.ts'
import type { WalletVault } from '../../crypto/wallet-vault.ts'
import { openSecrets } from '../../crypto/webhook-secrets.ts'
import type { Database } from '../../db/client.ts'
import { createOutageReport } from '../outage-report.ts'
import type { Timing } from '../timing.ts'
import type { Worker } from '../transactions/worker.ts'
import { createWakeSignal } from '../wake-signal.ts'
import type { Endpoints } from './endpoint.ts'
import { runRound } from './round.ts'
import { hasUnreadable, type LeasedWebhook, leaseDue } from './store.ts'

/**
 * Webhooks that one process serves at once. Those that fail have places of their own, so receivers that hang delay nobody
 * whose receiver works.
 */
const places = { working: 100, failing: 20 } as const

/** How long attempts that are under way may go on when the process ends. */
const patienceMs = 5000

/** What the worker needs. */
export interface WebhooksOptions {
  db: Database
  endpoints: Pick<Endpoints, 'deliver'>
  /** Null without a master key: then deliveries wait. */
  vault: WalletVault | null
  log: Logger
  timing: Pick<Timing, 'webhooksMs' | 'webhookLeaseSeconds'>
}

/** Starts the loops that send what the log has stored for webhooks. Any number of processes may run them. */
export function startWebhooks({ db, endpoints, vault, log, timing }: WebhooksOptions): Worker {
  const lease = { holder: randomUUID(), seconds: timing.webhookLeaseSeconds }
  const keyVersions = vault?.opens ?? []
  const wakeSignal = createWakeSignal()
  const end = new AbortController()
  // Each attempt listens.
  setMaxListeners(0, end.signal)
  const outage = createOutageReport(log, {
    failing: 'webhooks could not be served; trying again',
    working: 'webhooks are served again',
  })
  const needsOperator = createOperatorReport(log)
  let isStopped = false

  async function findDue(failing: boolean, limit: number): Promise<LeasedWebhook[]> {
    try {
      const found = await leaseDue(db, { failing, limit, keyVersions }, lease)
      if (!failing && found.length === 0 && (await hasUnreadable(db, keyVersions)))
        needsOperator('webhooks wait: WALLET_MASTER_KEY is missing or does not open the secrets that sign')
      outage.worked()
      return found
    } catch (error) {
      outage.failed(error)
      return []
    }
  }

  /** One round of a webhook. Where it fails, the webhook stays leased until the lease ends, and then is due again. */
  async function serve(webhook: LeasedWebhook): Promise<void> {
    const secrets = attempt(() => vault && openSecrets(vault, webhook.id, webhook))
    if (!secrets) needsOperator('the secrets of a webhook were altered: they do not open', webhook.id)
    else await runRound(webhook, secrets, { db, endpoints, log, signal: end.signal }).catch(outage.failed)
  }

  async function serveAll(failing: boolean, places: number): Promise<void> {
    const sleep = wakeSignal.createSleep()
    const atWork = new Set<Promise<void>>()
    while (!isStopped) {
      const free = places - atWork.size
      const due = free > 0 ? await findDue(failing, free) : []
      for (const webhook of due) {
        const ended = serve(webhook).finally(() => {
          atWork.delete(ended)
          // Its place is free, and it may be due again.
          wakeSignal.wake()
        })
        atWork.add(ended)
      }
      if (!isStopped) await sleep(timing.webhooksMs)
    }
    await Promise.all(atWork)
  }

  const loops = [serveAll(false, places.working), serveAll(true, places.failing)]
  return {
    wake: wakeSignal.wake,
    async stop() {
      isStopped = true
      wakeSignal.wake()
      const timer = setTimeout(() => end.abort(), patienceMs)
      await Promise.all(loops)
      clearTimeout(timer)
    },
  }
}

/** Tells an operator each thing once for each webhook. */
function createOperatorReport(log: Logger): (why: string, webhookId?: string) => void {
  const reported = new Set<string | undefined>()
  return (why, webhookId) => {
    if (!reported.has(webhookId)) log.error({ webhookId }, `NEEDS OPERATOR: ${why}`)
    reported.add(webhookId)
  }
}
