// Starts the emulators and a stage over them, and runs `npm run canary` on it with the arguments that this is given:
// node test/aws/canary-over-emulators.ts --episodes 2000 --hosted 20
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type EmulatorSet, startEmulators } from './emulators/emulator-sets.ts'
import { noFaults, spreadFaults } from './emulators/fault-proxy.ts'
import { serveStage } from './lambda/serve-stage.ts'

/** The share of requests between functions and AWS that go wrong. */
const share = Number(process.env.ESPALIER_FAULTS ?? 0)
const name = 'emulated'
const canary = join(import.meta.dirname, '../../canary/canary.ts')

const { variables, stop } = await startEmulators((process.env.ESPALIER_EMULATORS ?? 'usual') as EmulatorSet)
try {
  Object.assign(process.env, variables)
  const served = await serveStage({
    name,
    endpoints: { endpoints: {} },
    faults: { rates: share === 0 ? noFaults : spreadFaults(share), seed: 1 },
    isTwice: () => false,
    milliseconds: 900_000,
    // Nothing is killed here: what comes back early would only be played twice.
    visibility: 960,
    hosts: true,
  })
  try {
    const words = ['--stage', name, '--meters-after', '0', ...process.argv.slice(2)]
    const environment = { ...process.env, ...served.environment }
    const child = spawn(process.execPath, [canary, ...words], { env: environment, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    for (const { faults, service } of served.stage.proxies) console.log(service, JSON.stringify(faults))
    process.exitCode = code ?? 2
  } finally {
    await served.close()
  }
} finally {
  await stop()
}
