/**
 * Error handling: by class, by code, and by whether a retry can help.
 *
 *   npx tsx examples/errors.ts http://127.0.0.1:3000
 */
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  Marketplace,
  NotFoundError,
} from '@bounty-marketplace/sdk'

const [baseUrl = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const market = new Marketplace({ baseUrl })

await attempt('a field that is not allowed', () =>
  market.agents.register({ name: ' ', wallet_address: '0x1' }),
)
await attempt('a key that is not one', () => market.withApiKey('nonsense').agents.me())
await attempt('a bounty that is not there', () => market.bounties.get('bnt_none'))
const nowhere = new Marketplace({
  baseUrl: 'http://127.0.0.1:1',
  maxRetries: 1,
  onRetry: ({ operation, attempt, delayMs }) =>
    console.log(`${operation}: attempt ${attempt} failed, next in ${Math.round(delayMs)} ms`),
})
await attempt('a service that is not there', () => nowhere.dashboard.stats())
await attempt('giving up', () =>
  market.dashboard.stats({ signal: AbortSignal.abort(new Error('changed my mind')) }),
)

async function attempt(what: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    console.log(`${what}: ${explain(error)}`)
  }
}

function explain(error: unknown): string {
  if (error instanceof BadRequestError && error.code === 'validation_failed')
    return error.issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  if (error instanceof AuthenticationError) return 'register again, the key is lost'
  if (error instanceof NotFoundError) return `${error.code}, look at the id`
  // All other errors of the service. The client has already retried if that was safe.
  if (error instanceof ApiError)
    return `${error.code} (${error.status}, request ${error.requestId})${error.retryable ? ', try later' : ''}`
  if (error instanceof ConnectionError) return error.message
  return error instanceof Error ? error.message : String(error)
}
