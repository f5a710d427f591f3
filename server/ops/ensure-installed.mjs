/*
 * Runs before anything else, on whatever Node is there and without a single package: checks the Node version and
 * installs what package-lock.json names and node_modules lacks. Silent if all is well.
 *
 *   node server/ops/ensure-installed.mjs            # what runs the service from its sources
 *   node server/ops/ensure-installed.mjs --tests    # also what tests and generates, several times as much
 *
 * A folder after that is the project, default the one this file belongs to.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
const forTests = words.includes('--tests')
const root =
  words.find((word) => !word.startsWith('--')) ?? join(dirname(fileURLToPath(import.meta.url)), '../..')
const oldestNode = [20, 19]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  fail(`Node ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}.`)
}

const lock = readPackages('package-lock.json')
if (!lock) fail(`There is no readable package-lock.json in ${root}.`)
const installed = readPackages(join('node_modules', '.package-lock.json'))
const missing = firstMissing({ development: forTests })
if (missing) {
  const command = installation()
  const name = `npm ${command[0]}`
  const [what, time] = command.includes('--include=dev')
    ? ['the packages of the service and of its tests', 'a minute']
    : ['the packages of the service', 'half a minute']
  console.log(`Installing ${what} with ${name} (${missing}).`)
  console.log(`It is done once and takes about ${time} on a fast network.`)
  if (run(command) !== 0) fail(`${name} failed; its messages are above.`)
}

/** The packages by path, from a lock file; npm keeps a copy of what it installed in node_modules. */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** What is not installed as the lock file says, in words. Contents count, not times: a clone has none. */
function firstMissing({ development }) {
  if (!installed) return 'none are installed yet'
  for (const [path, entry] of Object.entries(lock)) {
    if (!path.startsWith('node_modules/')) continue // this package and its workspaces
    if (entry.dev && !development) continue
    const found = installed[path]
    if (found && found.version === entry.version && found.integrity === entry.integrity) continue
    // Binaries for other platforms are never installed.
    if (!found && (entry.optional || entry.devOptional || entry.peer)) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return found ? `${name} is another version` : `${name} is missing`
  }
  return undefined
}

/**
 * Says which packages it wants, because NODE_ENV=production would decide otherwise. What the tests need is added
 * without touching what is there: a service may be running from it, and `npm ci` empties node_modules first.
 */
function installation() {
  const serviceIsWhole = installed && !firstMissing({ development: false })
  if (serviceIsWhole) return ['install', '--include=dev', '--no-save']
  const hasTests = Object.entries(lock).some(([path, { dev }]) => dev && installed?.[path])
  return ['ci', forTests || hasTests ? '--include=dev' : '--omit=dev']
}

/** Under an npm script, the npm that runs it; else the one on the path, for which Windows needs a shell. */
function run(command) {
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: 'inherit' }
  const { status, error } =
    npm && /npm-cli\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...command], options)
      : spawnSync('npm', command, { ...options, shell: process.platform === 'win32' })
  if (error) fail(`npm cannot be run (${error.message}).`)
  return status
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
