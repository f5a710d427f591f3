import { pino } from 'pino'
import { createWalletVault } from '../../../../../server/crypto/wallet-vault.ts'
import { createDatabase, createPool } from '../../../../../server/db/client.ts'
import { createEndpoints } from '../../../../../server/events/webhooks/deliveries/endpoint.ts'
import { startWebhooks } from '../../../../../server/events/webhooks/deliveries/worker.ts'

// The worker as a process of its own, which a test can kill.

const { DATABASE_URL = '', WALLET_MASTER_KEY = '' } = process.env
startWebhooks({
  db: createDatabase(createPool(DATABASE_URL, { size: 4 })),
  endpoints: createEndpoints({ allowLoopback: true }),
  vault: createWalletVault(WALLET_MASTER_KEY, 1),
  log: pino({ level: 'silent' }),
  timing: { webhooksMs: 20, webhookLeaseSeconds: 1 },
})
