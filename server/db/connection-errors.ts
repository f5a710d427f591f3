import pg from 'pg'
import { NotThePrimary } from './client.ts'

/** SQLSTATEs, or their class, of a connection that breaks and of a server that stops or starts. */
const goneStates = ['08', '57P']
/** SQLSTATEs, or their class, that concern the server or its load and not the request. */
const busyStates = ['28', '3D000', '40', '53', '55P03', '57', '25006']
const socketErrors = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]
/** node-postgres gives these no code. */
const connectionMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

/** Whether Postgres cannot be reached, so that whatever needs it fails. */
export function isDatabaseGone(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) return hasState(thrown, goneStates)
  if (thrown instanceof NotThePrimary) return true
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return socketErrors.includes(code) || connectionMessages.test(thrown.message)
}

/** Whether an error of Postgres, or of the way to it, does not concern what was asked: it may succeed later as it is. */
export function isDatabaseOutage(thrown: unknown): boolean {
  return isDatabaseGone(thrown) || (thrown instanceof pg.DatabaseError && hasState(thrown, busyStates))
}

function hasState({ code = '' }: pg.DatabaseError, states: string[]): boolean {
  return states.some((state) => code.startsWith(state))
}
