import { z } from 'zod'
import { mostPictures, sentPictureSchema } from './picture.ts'

export const questionRoleSchema = z.enum(['judge', 'captioner'])

export type QuestionRole = z.infer<typeof questionRoleSchema>

const asked = {
  role: questionRoleSchema,
  text: z.string().describe('The whole prompt.'),
  pictures: z.array(sentPictureSchema).max(mostPictures).exactOptional(),
}

/** Decides the reward with others: the words in an answer determine its meaning, in any letter case. */
export const verdictQuestionSchema = z.strictObject({
  ...asked,
  accept: z.array(z.string()).min(1).describe('An answer with one of these is a yes.'),
  refuse: z.array(z.string()).describe('An answer with one of these is a no, whatever else it says.'),
  otherwise: z
    .enum(['no', 'unreadable'])
    .describe('Meaning of an answer with none of these words. `unreadable` fails the episode.'),
})

export type VerdictQuestion = z.infer<typeof verdictQuestionSchema>

/** Its answer replaces its placeholder in the observation. Without a model the placeholder becomes empty. */
export const captionQuestionSchema = z.strictObject({
  ...asked,
  placeholder: z.string().min(1),
  template: z.string().describe('The shown text; {caption} in it stands for the answer.'),
})

export type CaptionQuestion = z.infer<typeof captionQuestionSchema>

/**
 * Questions that a session cannot answer by itself, since hosts know no models: the worker that plays the episode
 * asks them, and counts their cost.
 */
export const modelQuestionsSchema = z.strictObject({
  verdicts: z
    .array(z.array(verdictQuestionSchema).min(1))
    .describe('The reward counts if each group has a yes; otherwise it is 0.'),
  captions: z.array(captionQuestionSchema),
})

export type ModelQuestions = z.infer<typeof modelQuestionsSchema>
