import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import { observationTurn } from '../search/conversation.ts'
import { answerStyles } from './parse-answer.ts'
import type { AgentPrompt } from './prompts/agent-prompt.ts'

export const agentParameters = {
  actions: z
    .enum(['text', 'tools'])
    .optional()
    .describe(
      'Form of the agent’s actions. `text`, the default: an `Action:` in its answer, as in the papers. `tools`: a call of one of the environment’s tools, for models trained to call tools. Both give the same action texts, so their trees can be compared.',
    ),
  style: z
    .enum(answerStyles)
    .default('plain')
    .describe(
      'Rule that picks the `Action:` of an answer. `plain`: the line of the last one before the model invents an observation; later text is dropped. `agent-r`: the line of the last one; the whole answer is kept. `eto`: the first one with all text after it; an answer without one is an invalid action, and `model.stop` defaults to ETO’s.',
    ),
  layout: z
    .enum(['system', 'eto'])
    .default('system')
    .describe(
      'Layout of a prompt. `system`: rules and example in a system text. `eto`: the rules as a user turn, answered with `OK`, the example as turns, and `Observation:` before every observation but the first, as in ETO’s expert data.',
    ),
  prompt_prefix: z
    .enum(['reasoning_v1', 'explorative_v1'])
    .optional()
    .describe(
      'Text before the newest observation of every prompt, as ExACT’s `user_prompt_prefix`: it asks to reason step by step, or to explore and go back. A run can replace it (`prompts`). By default there is none.',
    ),
}

const agentParametersSchema = z.object({
  actions: agentParameters.actions,
  style: agentParameters.style.unwrap().optional(),
  layout: agentParameters.layout.unwrap().optional(),
  prompt_prefix: agentParameters.prompt_prefix,
})

export type AgentParameters = z.infer<typeof agentParametersSchema>

/**
 * @throws EspalierError if an agent that calls tools gets a setting of answers in text
 */
export function refuseTextSettings(given: JsonObject): void {
  if (given.actions !== 'tools') return
  const field =
    ['restore_action', 'pause_action', 'beginnings'].find((name) => given[name] !== undefined) ??
    (given.layout === 'eto' ? 'layout' : given.style === 'eto' ? 'style' : undefined)
  if (field === undefined) return
  throw new EspalierError(
    'invalid_request',
    `${field} is about answers in text, and the agent of this run calls tools. Leave it out, or set actions to "text".`,
    { param: `method.${field}` },
  )
}

/** Default stop sequences of answers in ETO's style (ETO, eval_agent/agents). */
export const etoStops: readonly string[] = ['\nObservation:', '\nTask:', '\n---']

/**
 * Reads the agent parameters of a run. If an older version recorded no style, answers are read as that version read
 * them, so that its journals replay unchanged.
 *
 * @param recorded the method's parameters as the run has them
 */
export function readAgentParameters(recorded: object): AgentParameters {
  return agentParametersSchema.parse(recorded)
}

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
