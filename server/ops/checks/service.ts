import type { Config } from '../../config/config.ts'
import { type Finding, warn } from '../../config/finding.ts'

/** Findings from the settings alone, about a service that others can reach. */
export function checkService(config: Config): Finding[] {
  const findings: Finding[] = []
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
