import { createPublicClient, http } from 'viem'
import { ConfigError, readConfig } from '../config.ts'
import { createDatabase, createPool, type Database } from '../db/connect.ts'
import { locateRunning } from '../embedded/running.ts'
import { nodeErrorText } from '../transactions/answers.ts'
import { countAttempts, lastError, nextStep } from './operator/advice.ts'
import { retry } from './operator/retry.ts'
import { type Case, findCase, listUnresolved } from './operator/unresolved.ts'

/*
 * npm run payouts -- list               what is not finished, the oldest first
 * npm run payouts -- show <id>          one payout (submission id) or activation (project id), with every attempt
 * npm run payouts -- retry <id>         takes up again what waits for a person, where that is safe
 * Status 1 where there is something for a person to do or the retry was refused.
 */
const usage =
  'usage: npm run payouts -- list | show <submission or project id> | retry <submission or project id>'
const say = (line: string) => process.stdout.write(`${line}\n`)

async function run([command, subject]: string[]): Promise<number> {
  const config = readConfig(process.env)
  const running = await locateRunning(config.DATA_DIR)
  const url = config.DATABASE_URL ?? running.databaseUrl
  if (!url)
    throw new ConfigError('There is no database: set DATABASE_URL, or DATA_DIR of the running service.')
  const db = createDatabase(createPool(url, { size: 2, name: 'bounty-marketplace payouts' }))
  try {
    if (command === 'list' && subject === undefined) return await list(db)
    if (command === 'show' && subject !== undefined) return await show(db, subject)
    if (command === 'retry' && subject !== undefined) {
      const rpcUrl = config.CHAIN_RPC_URL?.[0] ?? running.rpcUrl
      if (!rpcUrl) throw new ConfigError('There is no chain: set CHAIN_RPC_URL.')
      const client = createPublicClient({ transport: http(rpcUrl) })
      const { done, explanation } = await retry({ db, client, confirmations: config.CONFIRMATIONS }, subject)
      say(done ? `retried: ${explanation}` : `not retried: ${explanation}`)
      return done ? 0 : 1
    }
    process.stderr.write(`${usage}\n`)
    return 2
  } finally {
    await db.destroy()
  }
}

async function list(db: Database): Promise<number> {
  const cases = await listUnresolved(db)
  if (cases.length === 0) say('nothing is unresolved')
  for (const found of cases) say(line(found))
  return cases.some((found) => needsPerson(found)) ? 1 : 0
}

async function show(db: Database, subject: string): Promise<number> {
  const found = await findCase(db, subject)
  if (!found) {
    say(`there is no payout or activation of ${subject}`)
    return 1
  }
  say(line(found))
  for (const transaction of found.transactions) {
    const { id, status, lane, nonce, block, minedHash, error } = transaction
    say(`  transaction ${id}: ${status}, key ${lane ?? '-'}, nonce ${nonce ?? '-'}, block ${block ?? '-'}`)
    if (minedHash) say(`    mined as ${minedHash}`)
    if (error) say(`    ${error}`)
    for (const { hash, maxFeePerGas, sends, sentSecondsAgo, lastError: refusal } of transaction.attempts) {
      const last = sentSecondsAgo === null ? 'never sent' : `last ${Math.round(sentSecondsAgo)} s ago`
      say(`    ${hash} at most ${maxFeePerGas} wei per gas, sent ${sends} times, ${last}`)
      if (refusal) say(`      the node said: ${refusal}`)
    }
  }
  return needsPerson(found) ? 1 : 0
}

function line(found: Case): string {
  const { kind, subject, status, subjectStatus, ageSeconds, round } = found
  return [
    `${kind} ${subject}: ${status} (${subjectStatus})`,
    `${Math.round(ageSeconds)} s old`,
    `asked for ${round} times`,
    `${countAttempts(found)} attempts`,
    `last error: ${lastError(found) ?? 'none'}`,
    `next: ${nextStep(found)}`,
  ].join('; ')
}

function needsPerson({ status, transactions }: Case): boolean {
  return status === 'needs_operator' || transactions.some((one) => one.status === 'needs_operator')
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : nodeErrorText(error)}\n`)
  process.exitCode = 1
}
