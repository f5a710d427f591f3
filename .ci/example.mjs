// Starts the service in an empty data folder, as a new user would, and runs the examples. Then kills every process,
// starts the service again and checks that the earlier bounties are still done.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePort } from '../server/embedded/ports.ts'
import { listProcesses } from '../server/embedded/processes.ts'
import { pathOf } from '../test/support/programs.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'bounty-marketplace-example-'))
const [port, chainPort, githubPort] = await Promise.all([choosePort(), choosePort(), choosePort()])
const baseUrl = `http://127.0.0.1:${port}`

async function start() {
  const service = spawn('npm', ['start', '--silent'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      EMBEDDED_CHAIN_PORT: String(chainPort),
      EMBEDDED_GITHUB_PORT: String(githubPort),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
  })
  const begun = performance.now()
  await new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)))
    service.stdout.on('data', (chunk) => {
      process.stdout.write(chunk)
      if (String(chunk).includes('Try it:')) resolve()
    })
  })
  console.log(`ready ${((performance.now() - begun) / 1000).toFixed(1)} s after npm start`)
  return service
}

async function done() {
  const { stats } = await (await fetch(`${baseUrl}/api/dashboard/stats`)).json()
  return stats.bounties.done
}

function script(name) {
  const { status } = spawnSync('npm', ['run', '--silent', name, '--', baseUrl], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm run ${name} failed`)
}

function runFile(name) {
  const { status } = spawnSync('npx', ['tsx', `examples/${name}`, baseUrl], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${name} failed`)
}

function python() {
  const site = join(dataDir, 'python')
  const install = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    '--target',
    site,
    `${baseUrl}/sdk-python.tgz`,
  ]
  const env = { ...process.env, PYTHONPATH: site }
  for (const args of [install, ['examples/lifecycle.py', baseUrl]]) {
    const { status } = spawnSync('python3', args, { stdio: 'inherit', env })
    if (status !== 0) throw new Error(`python3 ${args[0]} failed`)
  }
}

async function processesOn(path) {
  const all = await listProcesses()
  return all.filter(({ pid, command }) => pid !== process.pid && command.includes(path)).map(({ pid }) => pid)
}

const first = await start()
script('smoke')
if (pathOf('git')) script('example')
runFile('cash-out.ts')
runFile('webhook-receiver.ts')
if (pathOf('pip')) python()
const before = await done()
process.kill(-first.pid, 'SIGKILL')
for (const pid of await processesOn(dataDir)) process.kill(pid, 'SIGKILL')
const second = await start()
const after = await done()
if (before === 0 || after !== before) throw new Error(`${before} bounties were done, now ${after} are`)
console.log(`after kill -9 of everything ${after} bounties are still done`)
process.kill(-second.pid, 'SIGINT')
const [code, signal] = await once(second, 'exit')
if (code !== 0 && signal !== 'SIGINT') throw new Error(`Ctrl-C ended npm start with ${code ?? signal}`)
const left = await processesOn(dataDir)
if (left.length > 0) throw new Error(`Ctrl-C left processes behind: ${left.join(', ')}`)
rmSync(dataDir, { recursive: true, force: true })
process.exit(0)
