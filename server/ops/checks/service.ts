import { createServer } from 'node:net'
import type { Config } from '../../config/config.ts'
import { type Finding, warn } from '../../config/finding.ts'

/** Findings about a service that others can reach: from the settings alone, and whether this machine has its address. */
export async function checkService(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const failure = await listeningFailure(config.HOST)
  if (failure) findings.push(warn('HOST', `this machine cannot listen at ${config.HOST}: ${failure}`))
  const open = config.HOST !== '127.0.0.1' && config.HOST !== '::1' && config.HOST !== 'localhost'
  if (config.DATABASE_URL && !config.WALLET_MASTER_KEY)
    findings.push(warn('WALLET_MASTER_KEY', 'not set: no managed wallets, agents have to bring their own'))
  if (open && config.RATE_LIMITS === 'off')
    findings.push(warn('RATE_LIMITS', 'off, while others can reach this address'))
  if (open && !config.PUBLIC_URL)
    findings.push(warn('PUBLIC_URL', 'not set: pages show the address of each request'))
  if (config.PUBLIC_URL && !config.TRUSTED_PROXIES)
    findings.push(
      warn('TRUSTED_PROXIES', 'not set: behind a proxy all callers share one address and one rate limit'),
    )
  if (config.PUBLIC_URL?.startsWith('http:') && open)
    findings.push(warn('PUBLIC_URL', 'API keys would travel unencrypted'))
  return findings
}

/** Why nothing can listen at an address of this machine, as a code of the system; undefined if something can. */
function listeningFailure(host: string): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'failed'))
    server.listen({ host, port: 0 }, () => server.close(() => resolve(undefined)))
  })
}
