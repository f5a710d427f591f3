import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { attempt } from '../../../crypto/reseal.ts'
import type { WalletVault } from '../../../crypto/wallet-vault.ts'
import type { Database } from '../../../db/client.ts'
import { askForWork } from '../../../loops/look.ts'
import { createOutageReport } from '../../../loops/outage-report.ts'
import { startPlaces, type Worker } from '../../../loops/rounds.ts'
import type { Timing } from '../../../loops/timing.ts'
import { openSecrets } from '../sealing.ts'
import type { Endpoints } from './endpoint.ts'
import { runRound } from './round.ts'
import { hasDue, hasUnreadable, type LeasedWebhook, leaseDue } from './store.ts'

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
  timing: Pick<Timing, 'restMs' | 'webhooksMs' | 'webhookLeaseSeconds'>
}

/** Starts the loops that send what the log has stored for webhooks. Any number of processes may run them. */
export function startWebhooks({ db, endpoints, vault, log, timing }: WebhooksOptions): Worker {
  const lease = { holder: randomUUID(), seconds: timing.webhookLeaseSeconds }
  const keyVersions = vault?.opens ?? []
  const end = new AbortController()
  // Each attempt listens.
  setMaxListeners(0, end.signal)
  const outage = createOutageReport(log, {
    failing: 'webhooks could not be served; trying again',
    working: 'webhooks are served again',
  })
  const needsOperator = createOperatorReport(log)

  async function findDue(failing: boolean, limit: number): Promise<LeasedWebhook[]> {
    const found = await leaseDue(db, { failing, limit, keyVersions }, lease)
    if (!failing && found.length === 0 && (await hasUnreadable(db, keyVersions)))
      needsOperator('webhooks wait: WALLET_MASTER_KEY is missing or does not open the secrets that sign')
    return found
  }

  /** One round of a webhook. Where it fails, the webhook stays leased until the lease ends, and then is due again. */
  async function serve(webhook: LeasedWebhook): Promise<void> {
    const secrets = attempt(() => vault && openSecrets(vault, webhook.id, webhook))
    if (!secrets) needsOperator('the secrets of a webhook were altered: they do not open', webhook.id)
    else await runRound(webhook, secrets, { db, endpoints, log, signal: end.signal }).catch(outage.failed)
  }

  const serveAll = (failing: boolean) =>
    startPlaces({
      places: failing ? places.failing : places.working,
      lease: (limit) => outage.of(findDue(failing, limit)),
      run: serve,
      // A webhook that works again has moved to the other loop.
      onEnd: wake,
      pauseMs: timing.webhooksMs,
      isDue: askForWork(db, hasDue, timing.restMs),
    })

  function wake(): void {
    for (const loop of loops) loop.wake()
  }

  const loops = [serveAll(false), serveAll(true)]
  return {
    wake,
    async stop() {
      const timer = setTimeout(() => end.abort(), patienceMs)
      await Promise.all(loops.map((loop) => loop.stop()))
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
