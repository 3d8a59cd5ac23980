import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { EspalierError } from '../../shared/contracts/errors.ts'

/** The options of a command. @throws EspalierError for one that it does not have */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  words: string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: words, options, strict: true, allowNegative: true, allowPositionals: false })
      .values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new EspalierError('invalid_request', `${error.message}\n\n${usage}`)
  }
}
