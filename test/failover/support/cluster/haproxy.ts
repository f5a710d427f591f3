import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { changeOwner, chooseAccount } from '../../../../server/embedded/postgres/account.ts'
import { findProgram } from './packages.ts'
import { killAll, type Program, startProgram } from './processes.ts'
import { shipped } from './shipped.ts'
import { untilTrue } from './wait.ts'

/** HAProxy with the shipped settings, and a supervisor that starts it again a second after it has ended. */
export interface HAProxy {
  /** Kills it, and resolves when it is gone. */
  kill(): Promise<void>
  /** Resolves when it runs. */
  running(): Promise<void>
  /** The state of its servers in Prometheus' text format. */
  metrics(): Promise<string>
  close(): Promise<void>
}

/** The ports of HAProxy itself and of the programs behind it, all on this machine. */
export interface HAProxyPorts {
  leader: number
  replicas: number
  service: number
  statistics: number
  nodes: { postgres: number; patroni: number }[]
  servers: number[]
}

const restartMs = 1000

/** Starts HAProxy below `parent`. */
export async function startHAProxy(parent: string, ports: HAProxyPorts): Promise<HAProxy> {
  const folder = join(parent, 'haproxy')
  await mkdir(folder)
  await changeOwner(folder, await chooseAccount(folder))
  const config = join(folder, 'haproxy.cfg')
  await copyFile(join(shipped, 'haproxy.cfg'), config)
  let program: Program | undefined
  let closed = false
  const start = async () => {
    const command = [findProgram('haproxy'), '-db', '-f', config]
    program = await startProgram(command, {
      folder,
      log: join(folder, 'haproxy.log'),
      environment: environment(ports),
    })
    void program.ended.then(() => delay(restartMs)).then(() => (closed ? undefined : start()))
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${ports.statistics}/metrics`)).text()
  const running = () => untilTrue('HAProxy runs', async () => (await metrics()).length > 0)
  await start()
  await running()
  return {
    metrics,
    running,
    async kill() {
      const { ended } = program as Program
      await killAll(folder)
      await ended
    },
    async close() {
      closed = true
      await killAll(folder)
    },
  }
}

function environment({ nodes, servers, ...ports }: HAProxyPorts): Record<string, string> {
  const local = (port: number | undefined) => `127.0.0.1:${port}`
  const own = {
    LEADER_BIND: local(ports.leader),
    REPLICAS_BIND: local(ports.replicas),
    SERVICE_BIND: local(ports.service),
    STATISTICS_BIND: local(ports.statistics),
  }
  const databases = nodes.flatMap(({ postgres, patroni }, index) => [
    [`NODE_${index + 1}`, local(postgres)],
    [`NODE_${index + 1}_PATRONI_ADDRESS`, '127.0.0.1'],
    [`NODE_${index + 1}_PATRONI_PORT`, String(patroni)],
  ])
  const services = servers.map((port, index) => [`SERVER_${index + 1}`, local(port)])
  return { ...own, ...Object.fromEntries([...databases, ...services]) }
}
