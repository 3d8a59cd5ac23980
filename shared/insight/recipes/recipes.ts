import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { agentRPaper } from './agent-r.ts'
import { etoPaper } from './eto.ts'
import { exactOsworldPaper, exactVwaPaper } from './exact.ts'
import { learnactPaper } from './learnact.ts'
import type { PaperRecipe } from './recipe.ts'

export const paperRecipes: readonly PaperRecipe[] = [
  agentRPaper,
  etoPaper,
  learnactPaper,
  exactVwaPaper,
  exactOsworldPaper,
]

export function findPaperRecipe(id: string): PaperRecipe {
  const found = paperRecipes.find((recipe) => recipe.id === id)
  if (found !== undefined) return found
  const choices = paperRecipes.map((recipe) => recipe.id)
  throw new EspalierError('invalid_request', unknownName('There is no recipe', id, choices), {
    param: 'recipe',
  })
}
