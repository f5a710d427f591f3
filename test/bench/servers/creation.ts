/**
 * The SQL of a new bounty and nothing else, from an HTTP handler: node:http and a pg pool. The statements were taken from
 * the log of the database while the service ran them. It reads the founder's funds from the chain as the service does.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import type { Address } from 'viem'
import { connectChain } from '../../../server/chain/chain.ts'
import { newId } from '../../../server/ids.ts'
import type { CapturedStatement } from '../harness/capture.ts'
import { read, respondingWith, runCaptured } from './captured.ts'

/** What the handler runs, and values that it needs for it. */
export interface CreationFile {
  statements: CapturedStatement[]
  known: Record<'keyId' | 'agent' | 'project', string>
  token: Address
  founderWallet: Address
}

const { DATABASE_URL, CHAIN_RPC_URL = '', PLATFORM_WALLET_ADDRESS = '', CREATION_FILE = '' } = process.env
const file: CreationFile = JSON.parse(readFileSync(CREATION_FILE, 'utf8'))
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const chain = await connectChain({
  rpcUrls: [CHAIN_RPC_URL],
  operators: [],
  platformWallet: PLATFORM_WALLET_ADDRESS as Address,
})

createServer(respondingWith(handle)).listen(Number(process.env.PORT), process.env.HOST)

async function handle(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  if (request.method !== 'POST') return { status: 200, body: {} }
  const { title, description } = JSON.parse(await read(request)) as Record<'title' | 'description', string>
  await chain.funds(file.token, file.founderWallet)
  const id = newId('bounty')
  await runCaptured(pool, file.statements, { ...file.known, title, description, 'new:bnt_': id })
  const fields = { reward_amount: 10, difficulty: 'medium', status: 'open' }
  const created_at = new Date().toISOString()
  return {
    status: 201,
    body: { bounty: { id, project_id: file.known.project, title, description, ...fields, created_at } },
  }
}
