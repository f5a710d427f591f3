import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { choosePort } from '../../../server/embedded/ports.ts'
import { changeOwner, chooseAccount } from '../../../server/embedded/postgres/account.ts'
import { until } from '../../support/until.ts'
import { shipped } from './kit.ts'
import type { ClusterNode } from './node.ts'
import { startProgram } from './processes.ts'

/** Starts a node's exporter as the Compose file does. It ends with the cluster; resolves with what reads its metrics. */
export async function startExporter(
  node: ClusterNode,
  password: string,
): Promise<{ metrics(): Promise<string> }> {
  const folder = join(dirname(node.folder), `exporter-of-${node.name}`)
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
  const [program, ...args] = (services.exporter.command as string[]).map(adapt)
  const metrics = async () =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5000) })).text()
  await startProgram([`/usr/bin/${program}`, ...args], { folder, log: join(folder, 'log'), environment })
  await until(async () => (await metrics()).length > 0)
  return { metrics }
}
