import type { LoopRecipeId, LoopRecipeInfo } from '../../contracts/loop-settings.ts'
import { agentRRecipe } from './agent-r.ts'
import { etoRecipe } from './eto.ts'
import { exploratoryRecipe } from './exploratory.ts'
import type { LoopRecipe } from './recipe.ts'
import { rftRecipe } from './rft.ts'
import { stepDpoRecipe } from './step-dpo.ts'

/** Every recipe there is. A new one is added here and to `loopRecipeIdSchema`. */
export const loopRecipes: Readonly<Record<LoopRecipeId, LoopRecipe>> = {
  rft: rftRecipe,
  eto: etoRecipe,
  'agent-r': agentRRecipe,
  exploratory: exploratoryRecipe,
  'step-dpo': stepDpoRecipe,
}

/** The recipes as the API lists them. */
export function listLoopRecipes(): LoopRecipeInfo[] {
  return Object.values(loopRecipes).map(({ id, title, paper, kind, training, settings, deviations }) => ({
    id,
    object: 'loop_recipe',
    title,
    paper,
    kind,
    training,
    settings: [...settings],
    deviations: [...deviations],
  }))
}
