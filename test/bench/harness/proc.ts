import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** USER_HZ is the same on every architecture that Node runs on. */
const ticksPerSecond = 100

/** Processor time of a process so far, in seconds; 0 once it is gone. */
export const cpuSeconds = (pid: number): number => seconds(statOf(pid).slice(11, 13))

/** Processor time of a Postgres server so far: its own, that of the processes it has ended, and that of those that run. */
export function cpuOfPostgres(postmaster: number): number {
  let sum = seconds(statOf(postmaster).slice(11, 15))
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : []
    if (Number(stat[1]) === postmaster) sum += seconds(stat.slice(11, 13))
  }
  return sum
}

const seconds = (ticks: string[]) => ticks.reduce((sum, each) => sum + Number(each), 0) / ticksPerSecond

/** The fields of /proc/<pid>/stat after the name, so that index 0 is field 3. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
