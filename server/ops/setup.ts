import { readConfig } from '../config/config.ts'
import { createLog } from '../observability/log.ts'
import { connect } from '../startup/connect/connect.ts'
import { explain } from './explain.ts'

/*
 * Brings schema and contracts up to date and ends: what a deployment runs once, before it replaces its servers one by
 * one. Safe to repeat, and while the previous version serves.
 */
const say = (line: string) => process.stdout.write(`${line}\n`)
try {
  const config = readConfig(process.env)
  const { connectChain, close } = await connect(config, createLog(config), say)
  await connectChain().finally(close)
  say('Ready for the servers to start')
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
