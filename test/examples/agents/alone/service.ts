import { join } from 'node:path'
import { findEmbedded } from '../../../../server/embedded/find-embedded.ts'
import { choosePort } from '../../../../server/embedded/ports.ts'
import { built, run, type ServiceProcess } from '../../../ops/support/service.ts'

/** The service with its embedded parts, as a process that can be stopped and started again. */
export interface Service {
  url: string
  starts: number
  start(): Promise<void>
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Ends its parts as well: they outlive a process that was killed, until the next one ends them. */
  end(): Promise<void>
  /** Where its database and its chain are. */
  parts(): Promise<{ databaseUrl: string; rpcUrl: string }>
}

/** Starts the service with data in `folder`. */
export async function startService(folder: string): Promise<Service> {
  const port = await choosePort()
  const chainPort = await choosePort()
  const hostPort = await choosePort()
  const dataDir = join(folder, 'data')
  const settings = {
    PORT: String(port),
    DATA_DIR: dataDir,
    EMBEDDED_CHAIN_PORT: String(chainPort),
    EMBEDDED_GITHUB_PORT: String(hostPort),
    LOG_LEVEL: 'warn',
  }
  let current: ServiceProcess | undefined
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    starts: 0,
    async start() {
      service.starts++
      const started = run(await built('main'), settings)
      await started.ready()
      current = started
    },
    async stop(signal) {
      current?.signal(signal)
      await current?.exited
      current = undefined
    },
    async end() {
      if (!current) await service.start()
      await service.stop('SIGTERM')
    },
    async parts() {
      const { databaseUrl, rpcUrl } = await findEmbedded(dataDir)
      if (!databaseUrl || !rpcUrl) throw new Error('the service was never started')
      return { databaseUrl, rpcUrl }
    },
  }
  await service.start()
  return service
}
