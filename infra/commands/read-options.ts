import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

/** @throws EspalierError for an unknown option */
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
