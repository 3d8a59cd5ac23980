import { z } from 'zod'

export const alfworldOptions = z.strictObject({
  language: z
    .enum(['textworld', 'agentboard', 'eto'])
    .default('textworld')
    .describe(
      'textworld: actions and answers as in the game. agentboard: as in AgentBoard and LearnAct: drops a full stop after an action, answers "check valid actions", repeats the last view on "look", and omits "You arrive at loc N.". eto: omits only that sentence, which games before ALFWorld 0.4 have; later games name the place and keep it.',
    ),
  refusal: z
    .enum(['nothing_happens', 'not_valid'])
    .default('nothing_happens')
    .describe(
      'Answer to an impossible action: the game’s "Nothing happens.", or LearnAct’s sentence "The action is not valid and therefore takes no effect. …".',
    ),
})

export type AlfworldOptions = z.infer<typeof alfworldOptions>

export const defaultAlfworldOptions: AlfworldOptions = alfworldOptions.parse({})
