import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { transformSync } from 'oxc-transform'
import manifest from '../package.json' with { type: 'json' }
import { definitions } from '../src/generated/tools.ts'
import { tgz } from './archive.ts'

const sdk = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(sdk, path), 'utf8')

/**
 * The package `@bounty-marketplace/sdk` as it is served and published: the code with its source maps and sources, and the
 * documents that it exports.
 *
 * `oxc-transform` makes the code and the declarations in 40 ms, from each file alone (`isolatedDeclarations`). It is a tenth of
 * the size of TypeScript's compiler, which `npm start` does not install. The alternative, an archive in the repository, would be 300 kB
 * that nobody can read, new with each change of a line.
 */
export async function packNpm(): Promise<Uint8Array> {
  const { private: _, ...published } = manifest
  const files = new Map([
    ['package.json', json(published)],
    ['jsr.json', json(jsrManifest())],
    ['README.md', read('README.md')],
    ['api.md', read('api.md')],
    ['LICENSE', read('LICENSE')],
    ['dist/tools.json', JSON.stringify(definitions)],
    ['dist/openapi.json', JSON.stringify(JSON.parse(read('../openapi/openapi.json')))],
  ])
  for (const path of readdirSync(join(sdk, 'src'), { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts')) addModule(files, path.replaceAll('\\', '/'))
  return tgz('package', files)
}

function addModule(files: Map<string, string>, path: string): void {
  const source = read(`src/${path}`)
  const { code, map, declaration, declarationMap, helpersUsed, errors } = transformSync(path, source, {
    target: 'es2022',
    sourcemap: true,
    typescript: {
      declaration: { stripInternal: true },
      onlyRemoveTypeImports: true,
      rewriteImportExtensions: 'rewrite',
    },
  })
  const [problem] = errors
  if (problem) throw new Error(`sdk/src/${path}: ${problem.codeframe ?? problem.message}`)
  // They would be imported from a package that nobody has installed.
  if (Object.keys(helpersUsed).length > 0) throw new Error(`sdk/src/${path} is newer than the target`)
  files.set(`src/${path}`, source)
  const outputs = [
    [path.replace(/\.ts$/, '.js'), code, map],
    [path.replace(/\.ts$/, '.d.ts'), declaration, declarationMap],
  ] as const
  for (const [name, text = '', mappings] of outputs) {
    const file = posix.basename(name)
    const sources = [posix.relative(posix.dirname(`dist/${path}`), `src/${path}`)]
    files.set(`dist/${name}`, `${text}//# sourceMappingURL=${file}.map\n`)
    files.set(`dist/${name}.map`, JSON.stringify({ ...mappings, file, sources, sourcesContent: undefined }))
  }
}

/** What JSR reads, which takes the sources instead of what is made from them. */
function jsrManifest() {
  const { name, version, license, exports, peerDependencies } = manifest
  const modules = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' ? [] : [[entry, target.default.replace(/dist\/(.*)\.js$/, 'src/$1.ts')]],
  )
  const imports = Object.entries(peerDependencies).map(([peer, range]) => [peer, `npm:${peer}@${range}`])
  return {
    name,
    version,
    license,
    exports: Object.fromEntries(modules),
    imports: Object.fromEntries(imports),
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
