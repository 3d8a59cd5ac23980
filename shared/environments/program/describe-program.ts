import { EspalierError } from '../../core/contracts/errors.ts'
import { ProgramLostError, ProgramProcess } from '../../core/programs/program-process.ts'
import { retryKilled } from '../../core/threads/retry-killed.ts'
import { type ProgramFacts, programFactsSchema } from './program-facts.ts'
import type { ProgramCommand } from './registration.ts'

const longestDescription = 60

/**
 * Starts a program, requests its description, and ends it. It has the same view and limits as during play. A program
 * killed meanwhile is restarted.
 * @param named the field or file that names the program, for errors
 * @throws EspalierError `invalid_request` if it cannot be started, ends, is late, or returns an invalid description
 */
export async function describeProgram(
  named: string,
  { command, folder, memory_limit_mb: memory }: ProgramCommand,
): Promise<ProgramFacts> {
  try {
    return await retryKilled(async () => {
      const program = new ProgramProcess({
        ...{ command, folder, startWithin: longestDescription, log: () => undefined },
        ...(memory !== undefined && { memory }),
      })
      try {
        return await program.ask({ op: 'describe' }, programFactsSchema)
      } finally {
        await program.end()
      }
    })
  } catch (error) {
    if (!EspalierError.isInstance(error) && !(error instanceof ProgramLostError)) throw error
    throw new EspalierError('invalid_request', `${named}: ${error.message}`, { param: named, cause: error })
  }
}
