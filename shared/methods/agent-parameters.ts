import { z } from 'zod'
import type { Message } from '../contracts/message.ts'
import type { EnvironmentGuide } from '../environments/environment.ts'
import { observationTurn } from '../search/conversation.ts'
import { answerStyles } from './parse-answer.ts'
import type { AgentPrompt } from './prompts/agent-prompt.ts'

/** How an agent's prompts are laid out and its answers are read: what all methods take that play one. */
export const agentParameters = {
  style: z
    .enum(answerStyles)
    .default('plain')
    .describe(
      'Which `Action:` of an answer counts. `plain`: the last one before the model goes on with an observation of its own, on its line; what comes after is not kept. `agent-r`: the last one, on its line; the whole answer is kept. `eto`: the first one with all that follows; an answer without one is an invalid action, and `model.stop` is as in ETO unless it is given.',
    ),
  layout: z
    .enum(['system', 'eto'])
    .default('system')
    .describe(
      'How a prompt is laid out. `system`: rules and example as a system text. `eto`: the rules as a user’s turn, answered with `OK`, the example played as turns, and `Observation:` before every observation but the first, as ETO’s experts have it.',
    ),
}

const agentParametersSchema = z.object({
  style: agentParameters.style.unwrap().optional(),
  layout: agentParameters.layout.unwrap().optional(),
})

export type AgentParameters = z.infer<typeof agentParametersSchema>

/** Where an answer ends that is read in ETO's style, unless the run says otherwise (ETO, eval_agent/agents). */
export const etoStops: readonly string[] = ['\nObservation:', '\nTask:', '\n---']

/**
 * How the agent of a run is played. A run of a version that recorded no style reads answers as that version did, so that its
 * journals are replayed as they are.
 *
 * @param recorded the method's parameters as the run has them
 */
export function readAgentParameters(recorded: object): AgentParameters {
  return agentParametersSchema.parse(recorded)
}

/** A guide's example as turns that were played; it ends on the agent. */
export function exampleTurns(
  { example }: EnvironmentGuide,
  showTurn: AgentPrompt['showTurn'],
  environment: string,
): Message[] {
  if (example === null) return []
  const place = { layout: 'eto' as const, environment }
  return example.turns.flatMap((turn, index): Message[] => {
    const before = example.turns[index - 1]
    const content = before === undefined ? example.observation : observationTurn(place, before.observation)
    return [
      { role: 'user', content },
      { role: 'assistant', content: showTurn(turn) },
    ]
  })
}
