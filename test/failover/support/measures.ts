import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../../faults/support/fleet.ts'
import type { Ledger } from './acknowledgements/ledger.ts'

/** How long a fault has lasted for clients, in ms. */
export interface Measure {
  fault: string
  step: string
  /** From the fault until the cluster could take writes again. */
  ownMs: number
  /** From then until the first write was acknowledged through the front. */
  backMs: number
  /** From then until each client had a write acknowledged. */
  allBackMs: number
  /** From then until each server had a read served by a replica; null where that was not waited for. */
  replicaMs: number | null
}

/** Clients that write at the same time. */
export const writers = 3

/** What a fault may last beyond its own time, in ms. */
export const longestBackMs = 5000

/**
 * Reads have to come from a replica again within this time, in ms. A standby first has to follow the new leader; the figures
 * of a run are in README.md.
 */
const longestReplicaMs = 60_000

const pollMs = 10

/**
 * Waits until writes are acknowledged again.
 * @param at when the cluster could take writes again, by the monotonic clock
 */
export async function untilBack(
  { moments }: Ledger,
  at: number,
  writers: number,
): Promise<Pick<Measure, 'backMs' | 'allBackMs'>> {
  const seen = new Map<number, number>()
  for (let next = 0; seen.size < writers; await delay(pollMs))
    for (; next < moments.length; next++) {
      const moment = moments[next]!
      if (moment.at >= at && !seen.has(moment.writer)) seen.set(moment.writer, moment.at - at)
    }
  return { backMs: Math.round(Math.min(...seen.values())), allBackMs: Math.round(Math.max(...seen.values())) }
}

/** Waits until replicas serve each server, and returns the time since `at`; null if they never do. */
export async function untilReplicasServe(fleet: Fleet, at: number): Promise<number | null> {
  const before = fleet.replicaReads()
  const isServed = () => fleet.replicaReads().every((reads, slot) => reads > before[slot]!)
  while (!isServed()) {
    if (performance.now() - at > longestReplicaMs) return null
    await delay(pollMs)
  }
  return Math.round(performance.now() - at)
}

const inSeconds = (ms: number | null) => (ms === null ? '-' : `${(ms / 1000).toFixed(1)} s`)

/** A table of the measures for a terminal. */
export function tableOf(measures: Measure[]): string {
  const rows = measures.map(({ fault, step, ownMs, backMs, allBackMs, replicaMs }) => [
    fault,
    step,
    ...[ownMs, backMs, allBackMs, replicaMs].map(inSeconds),
  ])
  const head = ['fault', 'at the step', 'its own time', 'then back after', 'every client', 'replica']
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n')
}
