/*
 * Runs before anything else, on whatever Node is there and without a single package: checks the Node version and
 * installs what package-lock.json names and node_modules lacks. Silent if all is well.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] || dirname(dirname(fileURLToPath(import.meta.url)))
const oldestNode = [20, 19]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  fail(`Node ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}.`)
}

const lock = readPackages('package-lock.json')
if (!lock) fail(`There is no readable package-lock.json in ${root}.`)
const missing = firstMissing(lock, readPackages(join('node_modules', '.package-lock.json')))
if (missing) {
  console.log(`Installing packages with npm ci (${missing}) …`)
  const code = install()
  if (code !== 0) fail('npm ci failed; its messages are above.')
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
function firstMissing(wanted, installed) {
  if (!installed) return 'none are installed yet'
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/')) continue // this package and its workspaces
    const found = installed[path]
    if (found && found.version === entry.version && found.integrity === entry.integrity) continue
    // Binaries for other platforms are never installed.
    if (!found && (entry.optional || entry.devOptional || entry.peer)) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return found ? `${name} is another version` : `${name} is missing`
  }
  return undefined
}

/** Under an npm script, the npm that runs it; else the one on the path, for which Windows needs a shell. */
function install() {
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: 'inherit' }
  // Running from source takes development packages, wherever NODE_ENV=production is set; a build runs without them.
  const ci = ['ci', '--include=dev']
  const { status, error } =
    npm && /npm-cli\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...ci], options)
      : spawnSync('npm', ci, { ...options, shell: process.platform === 'win32' })
  if (error) fail(`npm cannot be run (${error.message}).`)
  return status
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
