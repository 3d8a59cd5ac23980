import { z } from 'zod'

export const alfworldOptions = z.strictObject({
  language: z
    .enum(['textworld', 'agentboard', 'eto'])
    .default('textworld')
    .describe(
      'textworld: actions are read and answered as the game has them. agentboard: as AgentBoard and LearnAct do it: a full stop behind an action is dropped, "check valid actions" is answered, "look" shows again what was seen last, and "You arrive at loc N." is left out. eto: only that is left out, which games before ALFWorld 0.4 say; later ones name the place, and keep it.',
    ),
  refusal: z
    .enum(['nothing_happens', 'not_valid'])
    .default('nothing_happens')
    .describe(
      'What is said of an action that is not possible: the game’s "Nothing happens.", or LearnAct’s sentence "The action is not valid and therefore takes no effect. …".',
    ),
})

export type AlfworldOptions = z.infer<typeof alfworldOptions>

export const defaultAlfworldOptions: AlfworldOptions = alfworldOptions.parse({})
