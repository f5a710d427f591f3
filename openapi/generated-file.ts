import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes a generated file. With `--check` it only compares the file and fails the process if it has drifted. */
export function generatedFile(
  location: URL,
  content: string,
  check = process.argv.includes('--check'),
): void {
  const path = fileURLToPath(location)
  if (!check) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return
  }
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return
  process.stderr.write(`${path} is not what its source generates: run the generator and commit the result\n`)
  process.exitCode = 1
}

/** {@link generatedFile} for the part of a text between `<!-- name -->` and `<!-- end of name -->`. */
export function generatedPart(location: URL, name: string, content: string): void {
  const between = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- end of ${name} -->)`)
  const text = readFileSync(location, 'utf8')
  generatedFile(
    location,
    text.replace(between, (_, start, end) => `${start}${content}\n${end}`),
  )
}
