import { ConfigError } from '../config/config.ts'
import { EmbeddedError } from '../embedded/index.ts'
import { DeploymentError } from '../money/chain/deploy/deploy.ts'

/** One clear line for an error that the operator can fix; a stack only for an error of ours. */
export function explain(error: unknown): string {
  const fixable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DeploymentError
  if (fixable) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
