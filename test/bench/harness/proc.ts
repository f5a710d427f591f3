import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** USER_HZ is the same on every architecture that Node runs on. */
const ticksPerSecond = 100

/** Processor time of a process so far, in seconds; 0 once it is gone. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return fields ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : 0
}

/** Processor time of each connection's process under a Postgres server, in seconds by process id. */
export function cpuOfBackends(postmaster: number): Map<number, number> {
  const backends = childrenOf(postmaster).filter((pid) => /^postgres: postgres /.test(commandOf(pid)))
  return new Map(backends.map((pid) => [pid, cpuSeconds(pid)]))
}

/** What the connections' processes have used since `before`, those opened since then included, in seconds. */
export function cpuOfBackendsSince(postmaster: number, before: Map<number, number>): number {
  let sum = 0
  for (const [pid, seconds] of cpuOfBackends(postmaster)) sum += seconds - (before.get(pid) ?? 0)
  return sum
}

/** The fields of /proc/<pid>/stat after the name, so that index 0 is field 3. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function childrenOf(pid: number): number[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(statOf(candidate)?.[1]) === pid)
}
