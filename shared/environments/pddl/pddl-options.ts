import { z } from 'zod'

export const pddlOptions = z.strictObject({
  language: z
    .enum(['plain', 'agentboard'])
    .default('plain')
    .describe(
      'The words of actions and observations: Espalier’s (plain), or AgentBoard’s, whose reading of actions and feedback come with them.',
    ),
  observations: z
    .enum(['usual', 'full'])
    .default('usual')
    .describe(
      'What AgentBoard’s language shows after an action. usual: in barman and tyreworld only what has become true, elsewhere all that is true, as in AgentBoard; full: always all, as in LearnAct. In plain language always all that can change.',
    ),
})

export type PddlOptions = z.infer<typeof pddlOptions>

export const defaultPddlOptions: PddlOptions = pddlOptions.parse({})
