import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Which cores what runs on; left out where the machine cannot tell them apart. */
export interface Placement {
  generator?: string
  server?: string
  postgres?: string
  everything?: string
  /** The same in words. */
  description: string
}

/**
 * The load generator has core 0 to itself, with the idle harness, chain and code host. The server has core 1. Postgres
 * shares the server's core where there are but two, so that a figure is the cost of both together; it has the other
 * cores where there are more.
 */
export function placeProcesses(pinned: boolean): Placement {
  const cores = cpus().length
  const canPin = process.platform === 'linux' && spawnSync('taskset', ['-V']).status === 0
  if (cores < 2 || !canPin || !pinned) return { description: `${cores} core(s), nothing pinned` }
  const postgres = cores === 2 ? '1' : `2-${cores - 1}`
  const description = `${cores} cores: load generator on core 0, server on core 1, Postgres on core ${postgres}`
  return { generator: '0', server: '1', postgres, everything: `0-${cores - 1}`, description }
}

/** Moves a running process to `cores`; what it starts from now on goes there too. */
export function pin(pid: number, cores: string | undefined): void {
  if (cores === undefined) return
  const { status, stderr } = spawnSync('taskset', ['-apc', cores, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`taskset: ${stderr}`)
}

/** `command` as it has to be spawned to run on `cores`. */
export function onCores(command: string[], cores: string | undefined): string[] {
  return cores === undefined ? command : ['taskset', '-c', cores, ...command]
}
