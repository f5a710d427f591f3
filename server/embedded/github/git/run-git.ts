import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { devNull } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { endAtExit } from '../../processes.ts'
import { fairTurns } from './in-turn.ts'

const oldest = [2, 38] as const
/** Processes at a time for the platform, and as many for everybody else. */
const mostProcesses = 3
const mostDiffs = 2
/** Longest time of a process, and of one that compares trees. */
const defaultMs = 20_000
const diffMs = 5_000
const defaultBytes = 32 * 1024 * 1024

/** Settings of every git process. No other configuration is read, neither the machine's nor the person's. */
const settings = {
  'safe.directory': '*',
  'init.defaultBranch': 'main',
  'core.fsync': 'all',
  // Larger files are streamed, never held in memory or compared line by line.
  'core.bigFileThreshold': '1m',
  'core.quotePath': 'false',
  // Looking for renames compares each new file with each removed one.
  'diff.renameLimit': '100',
  'merge.renameLimit': '100',
  'pack.threads': '1',
  // Objects are sent as clients have packed them: looking for smaller forms takes seconds at each fetch.
  'pack.window': '0',
  'gc.auto': '0',
  'receive.autogc': 'false',
  'receive.fsckObjects': 'true',
  'receive.unpackLimit': '1',
  'receive.hideRefs': 'refs/pull',
  'http.getanyfile': 'false',
}

/** A git command that ended with an error, took too long, or wrote too much. */
export class GitFailure extends Error {
  override name = 'GitFailure'
  /** `undefined`: it was ended, because it took too long or wrote too much. */
  readonly exitCode: number | undefined

  constructor(command: string, exitCode: number | undefined, output: string) {
    super(`git ${command}: ${exitCode ?? 'ended'} ${output.slice(0, 500)}`)
    this.exitCode = exitCode
  }
}

/** For whom git runs. */
interface Served {
  /** The platform's commands wait for nobody else's, which can take seconds. */
  isPlatform: boolean
  /** Empty for what the platform does for nobody's pull request. */
  login: string
  /** Whether it has the turn of its repository. */
  isInTurn?: boolean | undefined
  /** Comparisons of the account that may wait; more are refused. */
  mostWaiting?: number | undefined
}

/** Whose request is being served, where an account has sent it. */
export const served = new AsyncLocalStorage<Served>()

/** Runs work that has the turn of its repository, for which everybody there waits: its git commands wait for nothing else of its account. */
export function inRepositoryTurn<T>(work: () => Promise<T>): Promise<T> {
  return served.run({ isPlatform: false, login: '', ...served.getStore(), isInTurn: true }, work)
}

/** Runs git commands in bare repositories, a few at a time. */
export interface Git {
  /** The whole environment of a git process. */
  environment: NodeJS.ProcessEnv
  /** @throws GitFailure; TooManyWaiting for a comparison */
  run(directory: string, args: string[], options?: GitOptions): Promise<string>
}

export interface GitOptions {
  input?: string | Buffer
  environment?: Record<string, string>
  /** Ends the command once it has written more; default 32 MiB. */
  maxBytes?: number
  /** How its output is read; default UTF-8. `latin1` keeps every byte. */
  encoding?: 'utf8' | 'latin1'
  /** Whether it compares trees, which can take seconds: it then keeps no other command from its turn, nor another account. */
  isDiff?: boolean
}

/**
 * @param home an existing directory without configuration of git, with our hooks in `hooks`
 * @param mostPushed bytes of one push
 */
export function createGit(home: string, mostPushed: number): Git {
  const environment = {
    ...environmentOf(home),
    ...configured({
      ...settings,
      'core.hooksPath': join(home, 'hooks'),
      'receive.maxInputSize': String(mostPushed),
    }),
  }
  const turnsOf = () => ({
    diffs: fairTurns<string>(mostDiffs),
    others: fairTurns<string | symbol>(mostProcesses),
  })
  const ofPlatform = turnsOf()
  const ofOthers = turnsOf()
  return {
    environment,
    run: (directory, args, options = {}) => {
      const { isPlatform = false, login = '', isInTurn = false, mostWaiting } = served.getStore() ?? {}
      const turns = isPlatform ? ofPlatform : ofOthers
      const start = () =>
        run(directory, args, { ...options, environment: { ...environment, ...options.environment } })
      // An account has one turn in all repositories: it may have claims in many. A repository has one for what is nobody's.
      const holder = login || directory
      if (options.isDiff) return turns.diffs(holder, start, mostWaiting)
      return turns.others(isInTurn ? Symbol() : holder, start)
    },
  }
}

function environmentOf(home: string): Record<string, string> {
  const { PATH = '', SystemRoot } = process.env
  return {
    PATH,
    ...(SystemRoot !== undefined && { SystemRoot }),
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** Settings as variables, which every process below the first inherits. */
function configured(values: Record<string, string>): Record<string, string> {
  const entries = Object.entries(values)
  const pairs = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) }
}

function run(cwd: string, args: string[], options: GitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      args,
      {
        cwd,
        env: options.environment,
        timeout: options.isDiff ? diffMs : defaultMs,
        maxBuffer: options.maxBytes ?? defaultBytes,
        encoding: options.encoding ?? 'utf8',
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout)
        const code = typeof error.code === 'number' ? error.code : undefined
        reject(new GitFailure(args[0] ?? '', code, stderr))
      },
    )
    // Its time is limited by a timer of this process: without us it could go on for an hour.
    if (child.pid !== undefined) child.once('exit', endAtExit(child.pid, 'SIGTERM'))
    child.stdin?.on('error', () => undefined) // git may end without having read its input
    child.stdin?.end(options.input)
  })
}

/** Why this machine's git cannot be used; `undefined` if it can. */
export async function problemOfGit(): Promise<string | undefined> {
  const call = promisify(execFile)
  try {
    const { stdout } = await call('git', ['--version'])
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? []
    if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
      return `git ${major}.${minor} is older than ${oldest.join('.')}`
    const { stdout: programs } = await call('git', ['--exec-path'])
    const name = process.platform === 'win32' ? 'git-http-backend.exe' : 'git-http-backend'
    return await Promise.any(
      programs
        .trim()
        .split(delimiter)
        .map((path) => access(join(path, name))),
    ).then(
      () => undefined,
      () => 'git has no http-backend',
    )
  } catch {
    return 'git is not installed'
  }
}
