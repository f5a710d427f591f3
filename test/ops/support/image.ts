import { spawnSync } from 'node:child_process'
import { chown, cp, mkdir, readFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Copy, DockerfileParser } from 'dockerfile-ast'
import { root } from './service.ts'

/** The last stage of an image as a folder, with what its instructions say about running it. */
export interface Image {
  /** Where the root directory of its file system lies. */
  folder: string
  workdir: string
  environment: Record<string, string>
  user: string
  command: string[]
  healthcheck: string[]
}

/**
 * Carries out the instructions of a Dockerfile without a container engine: each stage in an empty folder, each RUN by
 * `account`, with nothing of this machine but its programs. What one stage copies from another is moved.
 */
export async function buildImage(
  dockerfile: string,
  folder: string,
  account: { uid: number; gid: number } | undefined,
): Promise<Image> {
  const stages = new Map<string, Image>()
  let image = emptyStage(folder)
  for (const instruction of DockerfileParser.parse(await readFile(dockerfile, 'utf8')).getInstructions()) {
    const text = instruction.getArgumentsContent() ?? ''
    const words = instruction.getArguments().map((argument) => argument.getValue())
    const keyword = instruction.getKeyword()
    if (keyword === 'FROM') {
      image = emptyStage(join(folder, `stage-${stages.size}`))
      stages.set(words[2] ?? `${stages.size}`, image)
      await mkdir(image.folder, { recursive: true })
    } else if (keyword === 'WORKDIR') {
      image.workdir = words[0] ?? '/'
      await mkdir(join(image.folder, image.workdir), { recursive: true })
      if (account) await chown(join(image.folder, image.workdir), account.uid, account.gid)
    } else if (keyword === 'ENV') Object.assign(image.environment, Object.fromEntries(pairs(text)))
    else if (keyword === 'COPY') await copy(image, stages, instruction as Copy, account)
    else if (keyword === 'RUN') runStep(image, text, account)
    else if (keyword === 'USER') image.user = text
    else if (keyword === 'CMD') image.command = JSON.parse(text)
    else if (keyword === 'HEALTHCHECK') image.healthcheck = JSON.parse(text.slice(text.indexOf('[')))
    else if (keyword !== 'ARG' && keyword !== 'EXPOSE') throw new Error(`${keyword} is not understood`)
  }
  return image
}

function emptyStage(folder: string): Image {
  return { folder, workdir: '/', environment: {}, user: 'root', command: [], healthcheck: [] }
}

function pairs(text: string): [string, string][] {
  return [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
}

async function copy(
  image: Image,
  stages: Map<string, Image>,
  instruction: Copy,
  account: { uid: number; gid: number } | undefined,
): Promise<void> {
  const from = instruction
    .getFlags()
    .find((flag) => flag.getName() === 'from')
    ?.getValue()
  const paths = instruction.getArguments().map((argument) => argument.getValue())
  const target = paths.pop() as string
  for (const path of paths) {
    const into = join(image.folder, image.workdir, target)
    const destination = target.endsWith('/') ? join(into, basename(path)) : into
    await mkdir(dirname(destination), { recursive: true })
    const stage = from && stages.get(from)
    if (stage) await rename(join(stage.folder, path), destination)
    else await cp(join(root, path), destination, { recursive: true, verbatimSymlinks: true })
  }
  if (account) {
    const { status } = spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, image.folder])
    if (status !== 0) throw new Error('chown failed')
  }
}

function runStep(image: Image, command: string, account: { uid: number; gid: number } | undefined): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(image.folder, image.workdir),
    env: { PATH: process.env.PATH, HOME: join(image.folder, image.workdir, '..'), ...image.environment },
    encoding: 'utf8',
    ...account,
  })
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout}\n${stderr}`)
}
