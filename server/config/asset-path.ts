import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Path of a file of the program, such as `openapi/openapi.json`. It is resolved from the nearest folder with a
 * package.json: the repository, or `dist` in a build, whose modules are not where their sources were.
 */
export function assetPath(path: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, path)
}
