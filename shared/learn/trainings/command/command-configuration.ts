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
      .describe('Training tool for which Espalier writes the configuration and starts the command.'),
    command: z
      .string()
      .min(1)
      .optional()
      .describe('The program. With a template: path of its command; default: found through PATH.'),
    arguments: z
      .array(z.string())
      .optional()
      .describe(
        'Arguments, with the placeholders {job}, {data}, {output}, {resume}, {work}. Not with a template.',
      ),
    recipes: z
      .array(trainingRecipeSchema)
      .min(1)
      .optional()
      .describe('Training recipes that it supports. Not with a template.'),
    formats: z
      .array(datasetFormatSchema)
      .min(1)
      .optional()
      .describe('The formats of datasets that it reads. Not with a template.'),
    environment: variablesSchema.describe(
      'Environment variables of the program, beside PATH, HOME, CUDA_VISIBLE_DEVICES and those of the hub.',
    ),
    settings: jsonObjectSchema
      .default({})
      .describe('With a template: more settings of the tool, by its own names.'),
    devices: z
      .int()
      .min(1)
      .max(1024)
      .default(1)
      .describe('With a template: number of GPUs that share a batch, one process for each.'),
    resumes: z
      .boolean()
      .default(true)
      .describe(
        'True if it can resume from a checkpoint; otherwise it restarts from the beginning after each stop.',
      ),
    stop_grace: z
      .number()
      .min(0)
      .max(3600)
      .default(60)
      .describe('Seconds between SIGTERM and SIGKILL when Espalier stops it.'),
    cost_per_hour: z.number().min(0).default(0).describe('Price of this machine, in US dollars per hour.'),
    at_once: z.int().min(1).max(64).default(1).describe('Maximum number of parallel trainings.'),
    accelerator: acceleratorNameSchema
      .optional()
      .describe(
        'Accelerator that a training reserves while it runs, or `none`. Default: `gpu` if the machine has one.',
      ),
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
