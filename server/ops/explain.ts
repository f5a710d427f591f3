import { DeploymentError } from '../chain/deploy/deploy.ts'
import { ConfigError } from '../config/config.ts'
import { EmbeddedError } from '../embedded/index.ts'

/** One clear line for what the person at the terminal can mend; a stack only for what is our mistake. */
export function explain(error: unknown): string {
  const mendable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DeploymentError
  if (mendable) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
