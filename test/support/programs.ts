import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

interface Program {
  title: string
  /** Names of its command; the first that is found is used, and all are hidden by `WITHOUT`. */
  commands: string[]
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
  chromium: program('Chromium', ['chromium', 'chromium-browser'], 'chromium'),
  curl: program('curl', ['curl'], 'curl'),
  git: program('git', ['git'], 'git'),
  nginx: program('nginx', ['nginx'], 'nginx-light'),
  pgbouncer: program('pgbouncer', ['pgbouncer'], 'pgbouncer'),
  pip: program('pip', ['pip3', 'pip'], 'python3-pip'),
  postgres: program('Debian’s Postgres', ['pg_virtualenv'], 'postgresql'),
  python: program('Python', ['python3', 'python'], 'python3'),
} satisfies Record<string, Program>

/** These are tags as well. */
const conditions = {
  linux: { title: 'Linux', install: 'on x64', isMet: process.platform === 'linux' && process.arch === 'x64' },
  root: { title: 'root', install: 'run the tests as root', isMet: process.getuid?.() === 0 },
} satisfies Record<string, Condition>

const table: Record<string, Program | Condition> = { ...programs, ...conditions }

export type ProgramName = keyof typeof programs

function program(title: string, commands: string[], debian: string): Program {
  return { title, commands, install: `apt-get install ${debian}` }
}

const names = Object.keys(programs) as ProgramName[]

/** The programs that the environment variable `WITHOUT` names. */
function hidden(): ProgramName[] {
  const words = (process.env.WITHOUT ?? '').split(',').filter(Boolean)
  const unknown = words.filter((word) => word !== 'all' && !(word in programs))
  if (unknown.length > 0) throw new Error(`WITHOUT is all or some of ${names.join(', ')}; not ${unknown}`)
  return names.filter((name) => words.includes('all') || words.includes(name))
}

/** Where a program is, or nothing if the machine lacks it or `WITHOUT` hides it. */
export function pathOf(name: ProgramName): string | undefined {
  if (hidden().includes(name)) return undefined
  const named = name === 'chromium' ? process.env.CHROMIUM_PATH : undefined
  if (named) return named
  // Debian has servers in a folder that only root searches.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders
    .flatMap((folder) => programs[name].commands.map((command) => join(folder, command)))
    .find((path) => existsSync(path))
}

const isMissing = (name: string) =>
  name in programs
    ? pathOf(name as ProgramName) === undefined
    : !conditions[name as keyof typeof conditions].isMet

/** The tags of tests, with which vitest skips those that lack something. */
export const programTags = Object.entries(table).map(([name, { title }]) => ({
  name,
  description: `needs ${title}`,
  // One that is there must not undo what another one that is missing decides.
  ...(isMissing(name) && { skip: true }),
}))

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
  const commands = new Set(hidden().flatMap((name) => programs[name].commands))
  if (commands.size === 0) return () => undefined
  const copies: string[] = []
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => {
    const entries = existsSync(folder) ? readdirSync(folder) : []
    if (!entries.some((entry) => commands.has(entry))) return folder
    const copy = mkdtempSync(join(tmpdir(), 'bounty-marketplace-path-'))
    copies.push(copy)
    for (const entry of entries.filter((entry) => !commands.has(entry)))
      symlinkSync(join(folder, entry), join(copy, entry))
    return copy
  })
  process.env.PATH = folders.join(delimiter)
  return () => {
    for (const copy of copies) rmSync(copy, { recursive: true })
  }
}
