import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

interface Program {
  title: string
  /** Names of its command; the first that is found is used. */
  commands: string[]
  /** Commands that are hidden with it by `WITHOUT`, under whatever names and versions a machine has them. */
  family: RegExp
  /** With these arguments the command succeeds, if being there is not enough. */
  probe?: string[]
  /** How it is installed, for the line at the end of a run. */
  install: string
}

/** What else a machine may lack. */
interface Condition {
  title: string
  install: string
  isMet: boolean
}

/**
 * What a machine that has Node and npm may lack. A test that needs one has its name as a tag, and is skipped without it.
 * `WITHOUT=git,python` or `WITHOUT=all` hides them, also from the programs that tests start.
 */
const programs = {
  chromium: program('Chromium', ['chromium', 'chromium-browser'], 'chromium', /^(chrom|google-chrome)/),
  curl: program('curl', ['curl'], 'curl', /^curl/),
  git: program('git', ['git'], 'git', /^git/),
  nginx: program('nginx', ['nginx'], 'nginx-light', /^nginx/),
  pgbouncer: program('pgbouncer', ['pgbouncer'], 'pgbouncer', /^pgbouncer/),
  // Tests run the pip of `python3`. Without Python, or beside another one, the command `pip3` may be there all the same.
  pip: { ...program('pip', ['python3'], 'python3-pip', /^pip/), probe: ['-m', 'pip', '--version'] },
  postgres: program(
    'Debian’s Postgres',
    ['pg_virtualenv'],
    'postgresql',
    /^(pg_|psql|postgres|(create|drop|init|vacuum)db)/,
  ),
  promtool: program('promtool', ['promtool'], 'prometheus', /^promtool/),
  python: program('Python', ['python3'], 'python3', /^(python|pydoc)/),
} satisfies Record<string, Program>

/** These are tags as well. */
const conditions = {
  linux: { title: 'Linux', install: 'on x64', isMet: process.platform === 'linux' && process.arch === 'x64' },
  root: { title: 'root', install: 'run the tests as root', isMet: process.getuid?.() === 0 },
} satisfies Record<string, Condition>

const table: Record<string, Program | Condition> = { ...programs, ...conditions }

export type ProgramName = keyof typeof programs

function program(title: string, commands: string[], debian: string, family: RegExp): Program {
  return { title, commands, family, install: `apt-get install ${debian}` }
}

const names = Object.keys(programs) as ProgramName[]

/** The programs that the environment variable `WITHOUT` names. */
function hidden(): ProgramName[] {
  const words = (process.env.WITHOUT ?? '').split(',').filter(Boolean)
  const unknown = words.filter((word) => word !== 'all' && !(word in programs))
  if (unknown.length > 0) throw new Error(`WITHOUT is all or some of ${names.join(', ')}; not ${unknown}`)
  return names.filter((name) => words.includes('all') || words.includes(name))
}

/** Whether `WITHOUT` hides a command, be it part of another program. */
function isHidden(command: string): boolean {
  return hidden().some((name) => programs[name].family.test(command))
}

/** Where a program is, or nothing if the machine lacks it or `WITHOUT` hides it. */
export function pathOf(name: ProgramName): string | undefined {
  if (hidden().includes(name)) return undefined
  const named = name === 'chromium' ? process.env.CHROMIUM_PATH : undefined
  if (named) return named
  // Debian has servers in a folder that only root searches.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders
    .flatMap((folder) =>
      programs[name].commands.filter((command) => !isHidden(command)).map((command) => join(folder, command)),
    )
    .find((path) => existsSync(path))
}

const succeeded = new Map<string, boolean>()

function succeeds(path: string, words: string[]): boolean {
  const before = succeeded.get(path)
  if (before !== undefined) return before
  const { status } = spawnSync(path, words, { stdio: 'ignore' })
  succeeded.set(path, status === 0)
  return status === 0
}

function isMissing(name: string): boolean {
  if (!(name in programs)) return !conditions[name as keyof typeof conditions].isMet
  const path = pathOf(name as ProgramName)
  const { probe }: Program = programs[name as ProgramName]
  return path === undefined || (probe !== undefined && !succeeds(path, probe))
}

/** The tags of tests, with which vitest skips those that lack something. */
export function programTags() {
  return Object.entries(table).map(([name, { title }]) => ({
    name,
    description: `needs ${title}`,
    // One that is there must not undo what another one that is missing decides.
    ...(isMissing(name) && { skip: true }),
  }))
}

/** What tests with these tags lack, each with how to get it: "git (apt-get install git)". */
export function lacking(tags: readonly string[]): string[] {
  return Object.entries(table)
    .filter(([name]) => tags.includes(name) && isMissing(name))
    .map(([, { title, install }]) => `${title} (${install})`)
}

/**
 * Takes what `WITHOUT` names out of the search path of this process and of those that it starts.
 *
 * @returns deletes what this needs
 */
export function hidePrograms(): () => void {
  if (hidden().length === 0) return () => undefined
  const copies: string[] = []
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => {
    const entries = existsSync(folder) ? readdirSync(folder) : []
    if (!entries.some(isHidden)) return folder
    const copy = mkdtempSync(join(tmpdir(), 'bounty-marketplace-path-'))
    copies.push(copy)
    for (const entry of entries.filter((entry) => !isHidden(entry)))
      symlinkSync(join(folder, entry), join(copy, entry))
    return copy
  })
  process.env.PATH = folders.join(delimiter)
  return () => {
    for (const copy of copies) rmSync(copy, { recursive: true })
  }
}
