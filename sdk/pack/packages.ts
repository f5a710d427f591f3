import { packPython } from '../python/pack.ts'
import { packNpm } from './npm.ts'

/** Both packages by the names of their files. This is the only place where they are made, for the service and for registries. */
export async function makePackages(): Promise<Record<'sdk.tgz' | 'sdk-python.tgz', Uint8Array>> {
  return { 'sdk.tgz': await packNpm(), 'sdk-python.tgz': await packPython() }
}
