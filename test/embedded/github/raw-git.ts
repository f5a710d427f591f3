import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

export const mib = 1024 * 1024
export const commitOfNobody = '1'.repeat(40)
export const nothing = '0'.repeat(40)

/** Sends exactly these bytes and returns everything that comes back. */
export async function sendRaw(webUrl: string, text: string | Buffer): Promise<string> {
  const { port, host } = new URL(webUrl)
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(text.toString('latin1' as never).replaceAll('HOST', host), 'latin1')
  await once(socket, 'close')
  return received
}

export const basic = (token: string) => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
export const pktLine = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text

/** The body of a push of one ref: the command, then a pack. */
export function pushBody(ref: string, sha: string, pack: Buffer): Buffer {
  return pushBodyOf([`${nothing} ${sha} ${ref}`], pack)
}

/** The body of a push with these commands. */
function pushBodyOf(commands: string[], pack: Buffer): Buffer {
  const lines = commands.map((one, index) =>
    pktLine(index === 0 ? `${one}\0report-status side-band-64k` : one),
  )
  return Buffer.concat([Buffer.from(`${lines.join('')}0000`), pack])
}

/** A tree with one entry, or a commit, with its hash. */
function gitObject(type: 'tree' | 'commit', content: Buffer) {
  const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
  return { id, object: objectOf(type === 'tree' ? 2 : 1, content) }
}

export function treeOf(mode: string, name: string, id: string) {
  return gitObject('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]))
}

export function commitOf(tree: string, parent: string) {
  const people = 'author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000'
  return gitObject('commit', Buffer.from(`tree ${tree}\nparent ${parent}\n${people}\n\nx\n`))
}

/** The head of a push of `length` bytes, of which the sender sends as many as it likes. */
export function pushHead(token: string, length: number): string {
  const type = 'Content-Type: application/x-git-receive-pack-request'
  const authorization = `Authorization: ${basic(token)}`
  return `POST /acme/rocket.git/git-receive-pack HTTP/1.1\r\nHost: HOST\r\n${authorization}\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`
}

/** The beginning of a push: its command, and a pack that never ends. */
export const halfPush = `${pktLine(`${nothing} ${commitOfNobody} refs/heads/agent_ada/half\0report-status`)}0000PACK\0\0\0\x02\0\0\0\x01`

/** A pack with these objects: their type, their size, their compressed content. */
export function makePack(objects: { type: number; size: number; data: Buffer }[]): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(objects.length)
  const parts = objects.flatMap(({ type, size, data }) => {
    const head = []
    let byte = (type << 4) | (size % 16)
    for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
      head.push(byte | 0x80)
      byte = left % 128
    }
    return [Buffer.from([...head, byte]), data]
  })
  const body = Buffer.concat([Buffer.from('PACK\0\0\0\x02', 'latin1'), count, ...parts])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function objectOf(type: number, content: Buffer) {
  return { type, size: content.length, data: deflateSync(content) }
}

/** A pack of some kB with a file of 8 MB, and so many others that each are that file with another beginning. */
export function packOfDeltas(count: number): Buffer {
  const base = Buffer.alloc(8 * mib)
  const id = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest()
  // Sizes of both, seven bits a byte; four bytes of its own; a copy of 0x7ffffc bytes from the beginning of the file.
  const size = [0x80, 0x80, 0x80, 0x04]
  const delta = (own: number) => {
    const bytes = Buffer.from([...size, ...size, 4, 0, 0, 0, 0, 0xf0, 0xfc, 0xff, 0x7f])
    bytes.writeUInt32BE(own + 1, 9)
    return bytes
  }
  const deltas = Array.from({ length: count }, (_, own) => {
    const bytes = delta(own)
    return { type: 7, size: bytes.length, data: Buffer.concat([id, deflateSync(bytes)]) }
  })
  return makePack([objectOf(3, base), ...deltas])
}

export function push(
  host: { webUrl: string; ada: string },
  body: Buffer,
  headers: Record<string, string> = {},
) {
  return fetch(`${host.webUrl}/acme/rocket.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: basic(host.ada),
      'content-type': 'application/x-git-receive-pack-request',
      ...headers,
    },
    body,
  })
}

/** Temporary files of pushes, which no finished request may leave. */
export async function leftovers(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'repositories/1.git'), { recursive: true })
  return names.filter((name) => /tmp_|incoming|\.lock$/.test(name))
}
