/*
 * The service for work on it: starts again whenever a source changes, with data of its own in .cache/dev, and a market to look at.
 *
 *   npm run dev
 */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const port = process.env.PORT || '3000'
const env = { DATA_DIR: '.cache/dev', ...process.env, PORT: port }
const tsx = (...words) =>
  spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', ...words], { env, stdio: 'inherit' })

const service = tsx('watch', '--clear-screen=false', 'server/main.ts')
service.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal))

const url = `http://127.0.0.1:${port}`
const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
while (!(await isReady())) await pause(200)
tsx('examples/fill-market.ts', url)
