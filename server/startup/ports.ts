import { createServer } from 'node:net'
import { type Config, ConfigError } from '../config/config.ts'

/**
 * Checks, before anything is started, that the ports can be listened on.
 * @throws ConfigError for the first that cannot
 */
export async function checkPorts({ HOST, PORT, METRICS_PORT }: Config): Promise<void> {
  await tryListening('PORT', PORT, HOST)
  if (METRICS_PORT !== undefined) await tryListening('METRICS_PORT', METRICS_PORT, HOST)
}

/** Why listening on the port of a setting failed, in one line for the operator. */
export function portProblem(error: NodeJS.ErrnoException, setting: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(`Port ${port} is taken: set ${setting} to another one`)
  if (error.code === 'EACCES')
    return new ConfigError(`Port ${port} may not be used: set ${setting} to another one`)
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')
    return new ConfigError('setting HOST: no address of this machine')
  return error
}

async function tryListening(setting: string, port: number, host: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, setting, port)))
    server.listen({ port, host, exclusive: true }, resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}
