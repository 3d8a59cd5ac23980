import { z } from 'zod'

export const pddlOptions = z.strictObject({
  language: z
    .enum(['plain', 'agentboard'])
    .default('plain')
    .describe(
      'Wording of actions and observations: Espalier’s (plain), or AgentBoard’s, including its parsing of actions and its feedback.',
    ),
  observations: z
    .enum(['usual', 'full'])
    .default('usual')
    .describe(
      'Observation after an action in AgentBoard’s language. usual: only new facts in barman and tyreworld, elsewhere all facts, as in AgentBoard; full: always all facts, as in LearnAct. Plain language always shows all facts that can change.',
    ),
})

export type PddlOptions = z.infer<typeof pddlOptions>

export const defaultPddlOptions: PddlOptions = pddlOptions.parse({})
