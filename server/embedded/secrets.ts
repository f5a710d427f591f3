import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { readIfPresent, writeFileDurably } from './files.ts'
import { EmbeddedError } from './parts.ts'

const privateKey = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value))
const Secrets = z.object({
  walletMasterKey: z.string().min(32),
  deployerPrivateKey: privateKey,
  operatorPrivateKeys: z.array(privateKey).length(2),
  githubToken: z.string().min(20),
})

/** Generated secrets of a machine with nothing configured. Never print them. */
export interface Secrets {
  /** 64 hex characters. */
  walletMasterKey: string
  /** Deploys and owns the contracts; a key of its own, because the nonces of operator keys belong to their lanes. */
  deployerPrivateKey: Hex
  /** Two random keys, unfunded at first. */
  operatorPrivateKeys: Hex[]
  /** Token of the GitHub stand-in. */
  githubToken: string
}

/**
 * The secrets in `directory/secrets.json`, made at the first call. The file is readable by its owner only. A damaged
 * file is never replaced: managed wallets would be lost with it.
 *
 * @throws EmbeddedError if the file cannot be read or is damaged
 */
export async function loadOrCreateSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, 'secrets.json')
  const text = await readIfPresent(path).catch((error) => {
    throw new EmbeddedError(`${path} cannot be read (${error.code})`)
  })
  if (text !== undefined) return parse(text, path)
  const secrets: Secrets = {
    walletMasterKey: randomBytes(32).toString('hex'),
    deployerPrivateKey: generatePrivateKey(),
    operatorPrivateKeys: [generatePrivateKey(), generatePrivateKey()],
    githubToken: `embedded_${randomBytes(24).toString('hex')}`,
  }
  await writeFileDurably(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600)
  return secrets
}

function parse(text: string, path: string): Secrets {
  try {
    return Secrets.parse(JSON.parse(text))
  } catch {
    // Neither error may be shown: both quote the text.
    throw new EmbeddedError(
      `${path} is damaged: restore it from a backup; without it managed wallets are lost`,
    )
  }
}
