import { EspalierError } from '../../contracts/errors.ts'
import { ProgramLostError, ProgramProcess } from '../../programs/program-process.ts'
import { retryKilled } from '../../threads/retry-killed.ts'
import { type ProgramFacts, programFactsSchema } from './program-facts.ts'
import type { ProgramCommand } from './registration.ts'

/** Seconds that a program has to start and describe itself: large packages are imported meanwhile. */
const longestDescription = 60

/**
 * Starts a program, asks what environment it is, and ends it. It sees and may take the same as when it is played. One that is
 * killed meanwhile is started again.
 *
 * @param named - the field or file that names the program, for errors
 * @throws EspalierError `invalid_request` if it cannot be started, ends, is late, or describes itself otherwise than it should
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
