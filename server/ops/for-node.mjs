/** What packages in CommonJS expect to be there; under names that no module has. */
const commonJs = [
  "import { createRequire as requireFrom__ } from 'node:module'",
  "import { dirname as directoryOf__ } from 'node:path'",
  "import { fileURLToPath as pathOf__ } from 'node:url'",
  'const require = requireFrom__(import.meta.url)',
  'const __filename = pathOf__(import.meta.url)',
  'const __dirname = directoryOf__(__filename)',
].join(';')

/** How esbuild makes programs that plain Node runs. */
export const forNode = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: commonJs },
}
