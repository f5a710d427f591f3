import { existsSync } from 'node:fs'

/** Programs of the cluster and the Debian package of each. */
const programs = {
  etcd: ['etcd-server', ['/usr/bin/etcd']],
  exporter: ['prometheus-postgres-exporter', ['/usr/bin/prometheus-postgres-exporter']],
  haproxy: ['haproxy', ['/usr/sbin/haproxy']],
  patroni: ['patroni', ['/usr/bin/patroni']],
  patronictl: ['patroni', ['/usr/bin/patronictl']],
  postgres: ['postgresql-15', ['/usr/lib/postgresql/15/bin/postgres']],
  promtool: ['prometheus', ['/usr/bin/promtool']],
  etcd3: ['python3-etcd', ['/usr/lib/python3/dist-packages/etcd/__init__.py']],
} as const satisfies Record<string, readonly [string, readonly string[]]>

/**
 * The path of a program of the cluster.
 *
 * @throws with the command that installs everything that is missing
 */
export function findProgram(name: keyof typeof programs): string {
  const missing = Object.values(programs).filter(([, paths]) => !paths.some((path) => existsSync(path)))
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(([name]) => name))].join(' ')
    throw new Error(`The cluster needs programs that are not installed: apt-get install ${packages}`)
  }
  return programs[name][1].find((path) => existsSync(path)) as string
}
