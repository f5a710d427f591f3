import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Path of a file that belongs to the program, such as `openapi/openapi.json`: below the nearest folder with a
 * package.json, which is the repository, or `dist` in a build, where modules are not where their sources were.
 */
export function assetPath(path: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, path)
}
