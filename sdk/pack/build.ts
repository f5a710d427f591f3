/*
 * Writes the packages into sdk/dist, or the folder that is named.
 *
 *   npm run build:sdk
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makePackages } from './packages.ts'

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist'))
mkdirSync(folder, { recursive: true })
for (const [name, bytes] of Object.entries(await makePackages())) writeFileSync(join(folder, name), bytes)
