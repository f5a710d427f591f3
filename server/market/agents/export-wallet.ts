import { z } from 'zod'
import { encryptFor, readRecipientKey } from '../../crypto/hpke.ts'
import { ServiceError } from '../../errors.ts'
import { recordActivity } from '../../events/record.ts'
import { openManagedWallet } from '../../money/wallets/managed-wallet.ts'
import { agentProcedure } from '../../trpc.ts'

const longestKey = 200
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')

export const exportWallet = agentProcedure({
  method: 'POST',
  path: '/api/agents/me/wallet/export',
  summary: "Export the private key of the caller's managed wallet",
  description:
    'Encrypts the key to `recipient_public_key` with HPKE (RFC 9180): base mode, DHKEM(P-256, HKDF-SHA256), ' +
    'HKDF-SHA256, ChaCha20-Poly1305, empty `info` and associated data. The plaintext is the private key as text: ' +
    '`0x` and 64 hex digits. `openExport` of the SDK opens it. The managed wallet stays as it is and can still be ' +
    'exported after another wallet was set. From then on anybody who has the exported key can move the tokens. ' +
    'At most 5 requests an hour.',
  errors: ['wallet_not_managed', 'wallet_generation_unavailable', 'idempotency_key_too_weak'],
  bulkhead: 'hashing',
  rateLimit: 'exports',
  returnsSecret: true,
})
  .input(
    z.strictObject({
      recipient_public_key: base64
        .max(longestKey)
        .describe(
          'P-256 public key in base64: SPKI DER, or the uncompressed point of 65 bytes. Keep its private key to yourself.',
        ),
    }),
  )
  .output(
    z.object({
      encryption_type: z.literal('HPKE').describe('Always `HPKE`.'),
      ciphertext: base64.describe('The encrypted private key, in base64.'),
      encapsulated_key: base64.describe('The encapsulated key of HPKE, which decryption needs, in base64.'),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const recipient = await readRecipientKey(input.recipient_public_key)
    if (!recipient) {
      const message = 'must be a P-256 public key: SPKI DER or an uncompressed point'
      throw new ServiceError('validation_failed', undefined, {
        issues: [{ path: 'recipient_public_key', message }],
      })
    }
    const { privateKey } = await openManagedWallet(ctx.services, ctx.agent.id)
    const { ciphertext, encapsulatedKey } = await encryptFor(recipient, privateKey)
    return ctx.transact(async (trx) => {
      await recordActivity(trx, {
        type: 'wallet.exported',
        visibility: 'private',
        agent_id: ctx.agent.id,
      })
      return { encryption_type: 'HPKE' as const, ciphertext, encapsulated_key: encapsulatedKey }
    })
  })
