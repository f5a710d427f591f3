import { openSealed } from '../../api/open-sealed.ts'
import { ServiceError } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { WebhookRow } from './queries.ts'
import { openSecrets, sealSecrets, type WebhookSecrets } from './sealing.ts'

/** Seals and opens the secrets of webhooks. */
export interface SecretStore {
  seal(webhookId: string, secrets: WebhookSecrets): ReturnType<typeof sealSecrets>
  /** @throws ServiceError `unavailable` while the master key is rotated */
  open(webhook: WebhookRow): WebhookSecrets
}

/** The store of this service. @throws ServiceError `webhooks_unavailable` without a master key */
export function secretStore({ wallets: vault }: Pick<Services, 'wallets'>): SecretStore {
  if (!vault) throw new ServiceError('webhooks_unavailable')
  return {
    seal: (webhookId, secrets) => sealSecrets(vault, webhookId, secrets),
    open: (webhook) => openSealed(() => openSecrets(vault, webhook.id, webhook)),
  }
}
