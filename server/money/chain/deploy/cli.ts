import { ConfigError } from '../../../config/config.ts'
import { administer } from './administer.ts'
import { DeploymentError, deployContracts } from './deploy.ts'
import { readDeploySettings } from './settings.ts'

// Commands: `deploy` (the default), `verify-input`, or an administrative one (calls.ts). Exit code 1: failed;
// 2: deployed, but only the owner can add the missing operators; or a call was printed and not sent.

const print = (line: string) => process.stdout.write(`${line}\n`)

async function deploy(): Promise<void> {
  const deployment = await deployContracts({ ...readDeploySettings(process.env), log: print })
  print(`chain               ${deployment.chainId}`)
  print(`project factory     ${deployment.projectFactory}`)
  print(`platform wallet     ${deployment.platformWallet}`)
  print(`token code          ${deployment.tokenImplementation}`)
  print(`curve code          ${deployment.curveImplementation}`)
  print(`owner               ${deployment.owner}`)
  print(`treasury            ${deployment.treasury}`)
  if (deployment.missingOperators.length > 0) process.exitCode = 2
}

/** The compiler is a development package, so it is loaded only for this command. */
async function printVerificationInput(): Promise<void> {
  const { verificationInput } = await import('./verify-input.ts')
  print(JSON.stringify(verificationInput(process.env), undefined, 2))
}

const words = process.argv.slice(2)
try {
  if (words.length === 0 || words[0] === 'deploy') await deploy()
  else if (words[0] === 'verify-input') await printVerificationInput()
  else if (!(await administer(process.env, words, print))) process.exitCode = 2
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DeploymentError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
