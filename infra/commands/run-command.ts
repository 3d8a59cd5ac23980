import { EspalierError } from '../../shared/contracts/errors.ts'
import { processTools, type Tools } from './tools.ts'

/** Options that npm has not. It passes `--no-dashboard` on as `dashboard`. */
const ours = [
  ...[
    'stage',
    'mail',
    'budget',
    'max-concurrency',
    'max-workers',
    'workers',
    'batch',
    'batch-window',
    'dashboard',
  ],
  ...['keep-data', 'delete-data'],
]

type Command = (words: string[], tools: Tools) => Promise<number>

/** Runs one of the commands of this folder in this process: what people must know is a message, the rest a bug. */
export async function runCommand(command: Command): Promise<void> {
  const tools = processTools()
  try {
    refuseSwallowed(process.env)
    process.exitCode = await command(process.argv.slice(2), tools)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    tools.note(error.message)
    process.exitCode = 1
  }
}

/**
 * Without `--` npm takes options for its own, and `npm run deploy --stage=prod` would deploy the stage `dev`.
 *
 * @throws EspalierError `invalid_request`
 */
export function refuseSwallowed(environment: Readonly<Record<string, string | undefined>>): void {
  const found = ours.find((name) => `npm_config_${name.replaceAll('-', '_')}` in environment)
  if (found === undefined) return
  const swallowed = found === 'dashboard' ? 'no-dashboard' : found
  throw new EspalierError(
    'invalid_request',
    `npm took --${swallowed} for itself. Put -- before the options: npm run ${environment.npm_lifecycle_event} -- --${swallowed} …`,
  )
}
