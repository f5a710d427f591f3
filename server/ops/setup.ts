import { readConfig } from '../config/config.ts'
import { createLog } from '../observability/log.ts'
import { connect } from '../startup/connect/connect.ts'
import { explain } from './explain.ts'

/*
 * Brings schema and contracts up to date and ends. A deployment runs it once before it replaces its servers one by one. It
 * can be repeated, and run while the previous version serves.
 */
const print = (line: string) => process.stdout.write(`${line}\n`)
try {
  const config = readConfig(process.env)
  const { connectChain, close } = await connect(config, createLog(config), print)
  await connectChain().finally(close)
  print("Ready for the servers to start. A role of the servers' own needs grants.sql first")
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
