import { EspalierError } from '../../contracts/errors.ts'
import type { Prompt } from './prompt.ts'
import { reactTextcraft } from './react-textcraft.ts'

/** The prompts by method and environment. A method that asks for actions as ReAct does shares its words. */
const prompts: Record<string, Record<string, Prompt>> = {
  react: { textcraft: reactTextcraft },
  mcts: { textcraft: reactTextcraft },
}

/** @throws EspalierError `invalid_request` when the method cannot be played in the environment */
export function findPrompt(method: string, environment: string): Prompt {
  const prompt = prompts[method]?.[environment]
  if (!prompt) {
    const fitting = Object.keys(prompts).filter((candidate) => prompts[candidate]?.[environment])
    throw new EspalierError(
      'invalid_request',
      `The method "${method}" has no prompt for "${environment}". Methods that have one: ${fitting.join(', ') || 'none'}.`,
      { param: 'method.id' },
    )
  }
  return prompt
}
