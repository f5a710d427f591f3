import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '../../embedded/support.ts'
import { pathOf } from '../../support/programs.ts'
import { root, run, type ServiceProcess } from './service.ts'

/** Runs nginx with the site that we ship, on `port` before servers on these ports. */
export async function startNginx({
  port,
  servers: [first, second],
}: {
  port: number
  servers: [number, number]
}): Promise<ServiceProcess> {
  const directory = await temporaryDirectory()
  const site = (await readFile(join(root, 'server/ops/host/nginx.conf'), 'utf8'))
    .replace(':3000', `:${first}`)
    .replace(':3001', `:${second}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:80;', '')
  await mkdir(join(directory, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${directory}/temporary/${name};`).join('\n')
  const main = `daemon off; master_process off; pid ${directory}/pid; events {} http { access_log off; ${paths}\n${site} }`
  await writeFile(join(directory, 'nginx.conf'), main)
  const words = ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')]
  return run([pathOf('nginx') as string, ...words], {})
}
