import { z } from 'zod'
import { datasetFormatSchema } from '../../../core/contracts/dataset.ts'
import { jsonObjectSchema } from '../../../core/contracts/json.ts'
import { acceleratorNameSchema, variablesSchema } from '../../../core/contracts/model-server.ts'
import { trainingRecipeSchema } from '../../../core/contracts/training.ts'
import { placeholdersIn } from './placeholders.ts'

export const templateNameSchema = z.enum(['llamafactory', 'axolotl', 'torchtune', 'xtuner'])

export type TemplateName = z.infer<typeof templateNameSchema>

export const commandTrainerSchema = z
  .strictObject({
    kind: z.literal('command'),
    description: z.string().min(1).optional(),
    template: templateNameSchema
      .optional()
      .describe('A tool whose configuration is written from the training, and whose command is started.'),
    command: z
      .string()
      .min(1)
      .optional()
      .describe('The program; with a template, where its command is, by default as PATH says.'),
    arguments: z
      .array(z.string())
      .optional()
      .describe('With the places {job}, {data}, {output}, {resume}, {work}. Not with a template.'),
    recipes: z.array(trainingRecipeSchema).min(1).optional().describe('What it can do. Not with a template.'),
    formats: z
      .array(datasetFormatSchema)
      .min(1)
      .optional()
      .describe('The formats of datasets that it reads. Not with a template.'),
    environment: variablesSchema.describe(
      'Variables that it sees, beside PATH, HOME, CUDA_VISIBLE_DEVICES and those of the hub.',
    ),
    settings: jsonObjectSchema
      .default({})
      .describe('With a template: more settings of the tool, by its own names.'),
    devices: z
      .int()
      .min(1)
      .max(1024)
      .default(1)
      .describe('With a template: GPUs that share a batch, one process for each.'),
    resumes: z
      .boolean()
      .default(true)
      .describe('Whether it can go on from a checkpoint; else it begins anew after each stop.'),
    stop_grace: z
      .number()
      .min(0)
      .max(3600)
      .default(60)
      .describe('Seconds between SIGTERM and SIGKILL when it is asked to stop.'),
    cost_per_hour: z.number().min(0).default(0).describe('US dollars for an hour of this machine.'),
    at_once: z.int().min(1).max(64).default(1).describe('Trainings side by side.'),
    accelerator: acceleratorNameSchema
      .optional()
      .describe('What a training holds while it runs, or `none`. Default: `gpu` where the machine has one.'),
  })
  .check(({ value, issues }) => {
    const complain = (field: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message })
    if (value.template === undefined) {
      for (const field of ['command', 'recipes', 'formats'] as const)
        if (value[field] === undefined) complain(field, 'is needed where there is no template.')
      for (const field of ['settings'] as const)
        if (Object.keys(value[field]).length > 0) complain(field, 'is for templates.')
    } else {
      for (const field of ['arguments', 'recipes', 'formats'] as const)
        if (value[field] !== undefined) complain(field, `is said by the template ${value.template}.`)
    }
    for (const [index, argument] of (value.arguments ?? []).entries()) {
      const unknown = placeholdersIn(argument).find(({ isKnown }) => !isKnown)
      if (unknown !== undefined)
        complain(
          `arguments.${index}`,
          `has the unknown place ${unknown.text}. There are {job}, {data}, {output}, {resume} and {work}.`,
        )
    }
  })

export type CommandTrainerConfiguration = z.infer<typeof commandTrainerSchema>
