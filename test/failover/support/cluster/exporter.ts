import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { choosePort } from '../../../../server/embedded/ports.ts'
import { changeOwner, chooseAccount } from '../../../../server/embedded/postgres/account.ts'
import type { ClusterNode } from './node.ts'
import { findProgram } from './packages.ts'
import { killAll, startProgram } from './processes.ts'
import { shipped } from './shipped.ts'
import { untilTrue } from './wait.ts'

/** A node's exporter, with the command and the environment that the Compose file gives it. */
export interface Exporter {
  /** What it reports now, in Prometheus' text format. */
  metrics(): Promise<string>
  kill(): Promise<void>
  /** Starts it again, and resolves when it responds. */
  restart(): Promise<void>
}

/** Starts a node's exporter beside the node's folder. It ends with the cluster. */
export async function startExporter(
  node: ClusterNode,
  { name = `exporter-of-${node.name}`, password }: { name?: string; password: string },
): Promise<Exporter> {
  const folder = join(dirname(node.folder), name)
  await mkdir(folder)
  await changeOwner(folder, await chooseAccount(folder))
  const { services } = parse(await readFile(join(shipped, 'compose.yaml'), 'utf8'), { merge: true })
  const port = await choosePort()
  const adapt = (text: string) =>
    text
      .replace(/\$\{ADDRESS}:9187/, `127.0.0.1:${port}`)
      .replace(/\$\{ADDRESS}:5432/, `127.0.0.1:${node.postgresPort}`)
      .replace(/\$\{EXPORTER_PASSWORD.*}/, () => password)
      .replace('/etc/exporter', shipped)
  const variables = Object.entries<string>(services.exporter.environment)
  const environment = Object.fromEntries(variables.map(([key, value]) => [key, adapt(value)]))
  const [, ...args] = (services.exporter.command as string[]).map(adapt)
  const metrics = async () =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5000) })).text()
  const restart = async () => {
    const log = join(folder, 'exporter.log')
    await startProgram([findProgram('exporter'), ...args], { folder, log, environment })
    await untilTrue('the exporter responds', async () => (await metrics()).length > 0)
  }
  await restart()
  return { metrics, restart, kill: () => killAll(folder) }
}
