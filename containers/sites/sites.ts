import { z } from 'zod'
import { startSites } from './server/start-sites.ts'
import { writeStorageStates } from './server/storage-states.ts'

const settingsSchema = z.object({
  PORT: z.coerce
    .number('PORT is a number: the port of the first site.')
    .int()
    .min(0)
    .max(65_533, 'PORT is at most 65533: the other sites take the two ports behind it.')
    .default(0),
  ESPALIER_SITES_BIND: z.string().default('127.0.0.1'),
  ESPALIER_SITES_STATES: z.string().optional(),
})

// The entry point of the image, and of `npm run sites`. The caller reads the addresses from the one line that it
// prints.
try {
  const { PORT, ESPALIER_SITES_BIND, ESPALIER_SITES_STATES } = settingsSchema.parse(process.env)
  const sites = await startSites({ bind: ESPALIER_SITES_BIND, port: PORT })
  if (ESPALIER_SITES_STATES !== undefined) await writeStorageStates(sites.addresses, ESPALIER_SITES_STATES)
  process.on('SIGTERM', () => void sites.stop())
  process.on('SIGINT', () => void sites.stop())
  process.stdout.write(`${JSON.stringify({ sites: sites.addresses })}\n`)
} catch (error) {
  const failed =
    error instanceof z.ZodError
      ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' ')
      : String(error instanceof Error ? error.message : error)
  process.stdout.write(`${JSON.stringify({ failed })}\n`)
  process.exitCode = 1
}
