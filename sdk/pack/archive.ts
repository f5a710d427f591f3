import { promisify } from 'node:util'
import { type AsyncGzipOptions, gzip } from 'fflate'
import { packTar } from 'modern-tar'

/** The time that npm gives every file, so that equal files are equal archives. */
const mtime = new Date('1985-10-26T08:15:00Z')

/**
 * A `.tgz` of these files below `folder`. Equal files give equal bytes on every machine, because users' lock files and the servers behind one
 * address have to agree on its digest. Hence not by node:zlib, whose output depends on the processor and the release of Node.
 */
export async function tgz(folder: string, files: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const entries = [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, text]) => {
      const body = new TextEncoder().encode(text)
      return { header: { name: `${folder}/${name}`, size: body.length, mode: 0o644, mtime }, body }
    })
  const compress = promisify<Uint8Array, AsyncGzipOptions, Uint8Array>(gzip)
  return compress(await packTar(entries), { level: 9, mtime: 0 })
}
