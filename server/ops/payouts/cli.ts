import { createPublicClient, fallback, http, type PublicClient } from 'viem'
import { type Config, ConfigError, readConfig } from '../../config/config.ts'
import { nodeErrorText } from '../../config/node-error-text.ts'
import { createDatabase, createPool, type Database } from '../../db/client.ts'
import { findEmbedded } from '../../embedded/find-embedded.ts'
import { finalityOf } from '../../money/chain/finality.ts'
import { databaseErrorText } from '../../startup/connect/database.ts'
import { caseReport, listReport } from './report.ts'
import { retry } from './retry.ts'
import { findCase, listUnresolved } from './unresolved.ts'

/*
 * `npm run payouts -- list | show <id> | retry <id>`: payouts, activations, withdrawals, changes of allowances, deposits
 * and refunds of dollars that are not finished, for the operator. An id is that of a submission, a project, a withdrawal, an
 * allowance or a deposit; of a refund that of the bounty. Reads the service's own settings; without DATABASE_URL it
 * uses the embedded parts that the service runs in DATA_DIR. Exit code 1: refused or not found; 2: wrong call.
 */
const usage = `Usage: npm run payouts -- list           what is not finished, and what to do about it
       npm run payouts -- show <id>      everything about a case: id of a submission, project, withdrawal, allowance or deposit, or bounty with a refund
       npm run payouts -- retry <id>     take up a case again that waits for an operator, if that cannot pay twice`

const print = (lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

async function main([command, entityId, ...rest]: string[]): Promise<number> {
  const isList = command === 'list' && entityId === undefined
  const isOnOne = (command === 'show' || command === 'retry') && entityId !== undefined
  if ((!isList && !isOnOne) || rest.length > 0) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  const config = readConfig(process.env)
  const embedded = await findEmbedded(config.DATA_DIR)
  const db = openDatabase(config.DATABASE_URL ?? embedded.databaseUrl)
  try {
    if (entityId === undefined) return await list(db)
    if (command === 'show') return await show(db, entityId)
    const rpcUrls = config.CHAIN_RPC_URL ?? (embedded.rpcUrl ? [embedded.rpcUrl] : undefined)
    return await tryAgain(db, config, rpcUrls, entityId)
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(databaseErrorText(error))
  } finally {
    await db.destroy()
  }
}

async function list(db: Database): Promise<number> {
  print(listReport(await listUnresolved(db)))
  return 0
}

async function show(db: Database, entityId: string): Promise<number> {
  const found = await findCase(db, entityId)
  print(
    found
      ? caseReport(found)
      : [`There is no payout, activation, withdrawal, allowance, deposit or refund of ${entityId}.`],
  )
  return found ? 0 : 1
}

async function tryAgain(
  db: Database,
  config: Config,
  rpcUrls: string[] | undefined,
  entityId: string,
): Promise<number> {
  if (!rpcUrls) throw new ConfigError('setting CHAIN_RPC_URL: needed to check the chain')
  const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url))) }) as PublicClient
  const { done, explanation } = await client
    .getChainId()
    .then((chainId) => retry({ db, client, finality: finalityOf(config, chainId) }, entityId))
    .catch((error) => {
      throw new ConfigError(`the chain or the database did not respond: ${nodeErrorText(error)}`)
    })
  print([`${done ? 'Taken up again' : 'Nothing was changed'}: ${explanation}.`])
  return done ? 0 : 1
}

function openDatabase(url: string | undefined): Database {
  if (!url) throw new ConfigError('setting DATABASE_URL: not set, and no embedded Postgres runs in DATA_DIR')
  return createDatabase(createPool(url, { size: 2, name: 'bounty-marketplace payouts' }))
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    process.stderr.write(`${error instanceof ConfigError ? error.message : (error.stack ?? error)}\n`)
    process.exitCode = 1
  },
)
