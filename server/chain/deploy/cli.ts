import { DeploymentError, deployContracts } from '../deploy.ts'
import { readDeploySettings, SettingError } from './settings.ts'

async function main(): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const deployment = await deployContracts({ ...readDeploySettings(process.env), log: print })
    print(`chain               ${deployment.chainId}`)
    print(`project factory     ${deployment.projectFactory}`)
    print(`platform wallet     ${deployment.platformWallet}`)
    print(`token code          ${deployment.tokenImplementation}`)
    print(`curve code          ${deployment.curveImplementation}`)
    print(`owner               ${deployment.owner}`)
    print(`treasury            ${deployment.treasury}`)
    if (deployment.missingOperators.length > 0) process.exitCode = 2
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof DeploymentError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

await main()
