import { openHealth } from '../../../../functions/wiring/open-health.ts'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'

/** Prints what health says of a folder at first, and when files may grow no more. */
const [folder = ''] = process.argv.slice(2)
const world = await openLocalWorld({ folder })
const say = () =>
  openHealth(world)
    .probe()
    .then(
      ({ status }) => status,
      ({ code, message }) => `${code}: ${message}`,
    )
const first = await say()
const filling = new Uint8Array(10_000)
for (let round = 0, full = false; !full && round < 1000; round += 1) {
  full = await world.objects.put(`filling/${round}`, filling).then(
    () => false,
    () => true,
  )
}
process.stdout.write(`${JSON.stringify({ first, full: await say() })}\n`)
process.exit()
