import { EspalierError } from '../../core/contracts/errors.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { OpenEnvironment } from '../../environments/open-environments.ts'

export function packCommand({ id, packsOf = id, pack }: OpenEnvironment['definition']): string {
  const isOffered = (pack?.downloads.length ?? 0) > 0
  return isOffered ? `espalier data fetch ${packsOf}` : `espalier data add ${packsOf} FOLDER`
}

/**
 * Names the preset of a request in an error about its data or tasks, and the data pack that has the tasks of the paper.
 *
 * @param opened null: the environment could not be opened
 * @returns any other error as it is
 */
export function explainPreset(
  error: unknown,
  { preset }: Pick<RunRequest, 'preset'>,
  opened: Pick<OpenEnvironment, 'definition' | 'pack'> | null,
): unknown {
  if (!EspalierError.isInstance(error) || preset === undefined) return error
  const { code, param, message } = error
  if (param === null || !/^(data|tasks)\b/.test(param)) return error
  const id = typeof preset === 'string' ? preset : preset.id
  const whole = `The preset "${id}" cannot be played with this data: ${message}`
  return new EspalierError(code, `${whole}${packAdvice(message, opened)}`, { param, cause: error })
}

function packAdvice(message: string, opened: Pick<OpenEnvironment, 'definition' | 'pack'> | null): string {
  if (opened === null || opened.pack !== null || message.includes('espalier data ')) return ''
  const { definition } = opened
  if (definition.pack === undefined) return ''
  return ` Its tasks may be those of a data pack. Add it once: ${packCommand(definition)}. It needs ${definition.pack.description}.`
}
