import { build } from 'esbuild'
import { launchBrowser } from '../../http/pages/browser.ts'
import { startServer } from '../../support/server.ts'

/**
 * Runs a script in a page of another origin than the service, and in a worker of that page.
 * @param script declares the global `sdk`, whose `run()` resolves with a value of JSON
 * @returns what `run()` gave in the page and in the worker
 */
export async function runInPageAndWorker<Value>(script: string): Promise<[Value, Value]> {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  // Browsers give WebCrypto to https and to this machine only.
  const blank = await startServer((_request, response) => response.end('<!doctype html>'))
  await page.goto(blank.url)
  await page.addScriptTag({ content: script })
  const inPage = await page.evaluate<Value>('sdk.run()')
  const inWorker = await page.evaluate<Value>(`new Promise((resolve, reject) => {
    const source = ${JSON.stringify(`${script}; sdk.run().then(postMessage)`)}
    const worker = new Worker(URL.createObjectURL(new Blob([source])))
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = reject
  })`)
  await browser.close()
  await blank.close()
  return [inPage, inWorker]
}

/** A script of this program for {@link runInPageAndWorker}, with all that it imports. `resolveDir` is where its imports are found. */
export async function bundleProgram(contents: string, resolveDir: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
