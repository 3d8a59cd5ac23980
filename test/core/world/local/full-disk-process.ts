import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'

/** Writes until files may not grow any more; prints which keys were stored and what the failures said. */
const [folder = ''] = process.argv.slice(2)
const { objects } = await openLocalWorld({ folder })
const stored: string[] = []
const failures: string[] = []

async function put(key: string, size: number): Promise<void> {
  try {
    await objects.put(key, new Uint8Array(size))
    stored.push(key)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    failures.push(`${error.code}: ${error.message}`)
  }
}

await put('large', 2_000_000)
for (let round = 0; failures.length < 6 && round < 100; round += 1) {
  await Promise.all([1, 2, 3, 4, 5].map((number) => put(`round ${round}/${number}`, 10_000)))
}
process.stdout.write(`${JSON.stringify({ stored, failures })}\n`)
process.exit()
