import type { LoopRecipeId, LoopRecipeInfo } from '../../../core/contracts/loop-settings.ts'
import { agentRRecipe } from './agent-r.ts'
import { etoRecipe } from './eto.ts'
import { exploratoryRecipe } from './exploratory.ts'
import type { LoopRecipe } from './recipe.ts'
import { rftRecipe } from './rft.ts'
import { grpoRecipe, treeGrpoRecipe } from './rollout-recipes.ts'
import { stepDpoRecipe } from './step-dpo.ts'

/** To add a recipe, list it here and in `loopRecipeIdSchema`. */
export const loopRecipes: Readonly<Record<LoopRecipeId, LoopRecipe>> = {
  rft: rftRecipe,
  eto: etoRecipe,
  'agent-r': agentRRecipe,
  exploratory: exploratoryRecipe,
  'step-dpo': stepDpoRecipe,
  grpo: grpoRecipe,
  'tree-grpo': treeGrpoRecipe,
}

export function listLoopRecipes(): LoopRecipeInfo[] {
  return Object.values(loopRecipes).map((recipe) => {
    const { id, title, paper, kind, training, preset, settings, deviations } = recipe
    return {
      id,
      object: 'loop_recipe',
      title,
      paper,
      kind,
      training,
      preset: preset === undefined ? null : { id: preset.id, fields: [...preset.fields] },
      settings: [...settings],
      deviations: [...deviations],
    }
  })
}
