import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * A program of Foundry as npm installed it for this platform; `undefined` if there is none. The packages' own launchers
 * would only cost time.
 */
export function locateFoundry(name: 'anvil' | 'forge'): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  try {
    const launcher = createRequire(import.meta.url).resolve(`@foundry-rs/${name}/package.json`)
    const platform = `@foundry-rs/${name}-${process.platform}-${architecture}/package.json`
    return join(dirname(createRequire(launcher).resolve(platform)), 'bin', name + suffix)
  } catch {
    return undefined
  }
}
