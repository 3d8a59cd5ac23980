import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'

export const gameFileSchema = z.object({
  pddl_domain: z.string().min(1),
  grammar: z.string().min(1),
  pddl_problem: z.string().min(1),
  solvable: z.boolean().optional(),
  walkthrough: z.array(z.string()).nullish(),
  /** Patterns that the observations of a solution match, from a file of labels. Only packed games have them. */
  subgoals: z.array(z.string()).optional(),
})

export type GameFile = z.infer<typeof gameFileSchema>

/**
 * Reads the bytes of a game.
 * @param name The game's name in errors, such as its path.
 * @throws EspalierError `invalid_request`
 */
export function readGameFile(bytes: Uint8Array, name: string): GameFile {
  const parsed = gameFileSchema.safeParse(parseJson(bytes))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const reason =
    issue === undefined || issue.path.length === 0
      ? 'is no JSON object'
      : `has no valid "${issue.path.join('.')}"`
  throw new EspalierError('invalid_request', `The game ${name} ${reason}: a game.tw-pddl file is needed.`)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
