import { z } from 'zod'
import { jsonSchema } from './json.ts'

export const presetIdSchema = z.enum([
  'exact-vwa',
  'exact-osworld',
  'agent-r',
  'eto',
  'learnact',
  'exact-vwa-react',
  'exact-vwa-search',
  'exact-vwa-tot',
  'exact-vwa-mcts',
  'exact-vwa-rmcts',
  'exact-osworld-rmcts',
  'exact-osworld-react',
  'agent-r-eval',
  'agent-r-eval-raw',
  'eto-explore',
  'learnact-gpt-3.5',
  'learnact-act',
  'learnact-act-gpt-3.5',
  'learnact-react',
  'learnact-react-gpt-3.5',
  'learnact-act-reflexion',
  'learnact-act-reflexion-gpt-3.5',
  'learnact-react-reflexion',
  'learnact-react-reflexion-gpt-3.5',
  'learnact-code-as-policy',
  'learnact-code-as-policy-gpt-3.5',
])

export type PresetId = z.infer<typeof presetIdSchema>

export const chosenPresetSchema = z
  .strictObject({
    id: presetIdSchema,
    deviations: z
      .array(z.string())
      .describe(
        'Differences from the preset: settings that cannot be reproduced here, and settings that the request replaced.',
      ),
  })
  .meta({ id: 'ChosenPreset' })

export type ChosenPreset = z.infer<typeof chosenPresetSchema>

export const presetSettingSchema = z.object({
  field: z.string().describe('Path of the field in the request.'),
  value: jsonSchema,
  source: z.string().describe('The place in the paper or its code that states it.'),
  environments: z.array(z.string()).optional().describe('Only in these environments; absent: in every one.'),
})

export type PresetSetting = z.infer<typeof presetSettingSchema>

const deviationSchema = z.object({
  text: z.string(),
  environments: z.array(z.string()).optional().describe('Only in these environments; absent: in every one.'),
})

export const presetInfoSchema = z
  .object({
    id: presetIdSchema,
    object: z.literal('preset'),
    title: z.string(),
    paper: z.string(),
    source: z.string().describe('The code and scripts that the settings come from.'),
    environments: z
      .array(z.string())
      .describe(
        'Environments of the paper that Espalier has. Empty: none; the preset works with any environment.',
      ),
    settings: z.array(presetSettingSchema),
    deviations: z.array(deviationSchema).describe('Differences that no request can remove.'),
  })
  .meta({ id: 'Preset' })

export type PresetInfo = z.infer<typeof presetInfoSchema>

/** A paper's settings: each number that its code ran with, and the differences that cannot be reproduced here. */
export type Preset = Omit<PresetInfo, 'object'>

/** Part of every preset: texts of other projects are not copied. */
export const ownWording = {
  text: 'Prompts and worked examples are worded by Espalier: they ask for the same things in the same order, in other words.',
}
