import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/service.ts'

interface Locked {
  link?: boolean
  resolved?: string
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  await readFile(join(root, 'package-lock.json'), 'utf8'),
)
const fromRegistry = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

/** Whether npm would install a package on the platform that the image and the checks run on. */
function isForTheImage({ os, cpu, libc }: Locked): boolean {
  const fits = (wanted: string[] | undefined, ours: string) => wanted === undefined || wanted.includes(ours)
  return fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc')
}

test('every locked package of the image’s platform has a digest that npm compares', () => {
  const bare = fromRegistry.filter(([, locked]) => !locked.integrity?.startsWith('sha512-'))
  expect(bare.filter(([, locked]) => isForTheImage(locked)).map(([path]) => path)).toEqual([])
  // npm locks other platforms' binaries without one where the registry could not be asked for them.
  expect(bare.filter(([, locked]) => !locked.optional).map(([path]) => path)).toEqual([])
})

test('no locked package names the host it came from', () => {
  expect(fromRegistry.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})
