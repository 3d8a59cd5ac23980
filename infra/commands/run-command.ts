import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { stageSettingNames } from '../stage-settings.ts'
import { optionOf } from './deploy-options.ts'
import { processTools, type Tools } from './tools.ts'

/** Our options, which npm does not know. It passes `--no-dashboard` on as `dashboard`. */
const ours = [
  ...stageSettingNames.map(optionOf),
  'unset',
  'bootstrap',
  'diff',
  'rollback',
  'keep-data',
  'delete-data',
]
const negative = new Set(['cloudfront', 'dashboard', 'hosts', 'web'])

type Command = (words: string[], tools: Tools) => Promise<number>

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
 * Refuses options that npm took for its own: without `--`, `npm run deploy --stage=prod` would deploy the stage
 * `dev`.
 *
 * @throws EspalierError `invalid_request`
 */
export function refuseSwallowed(environment: Readonly<Record<string, string | undefined>>): void {
  const found = ours.find((name) => `npm_config_${name.replaceAll('-', '_')}` in environment)
  if (found === undefined) return
  const swallowed = negative.has(found) ? `no-${found}` : found
  throw new EspalierError(
    'invalid_request',
    `npm took --${swallowed} for itself. Put -- before the options: npm run ${environment.npm_lifecycle_event} -- --${swallowed} …`,
  )
}
