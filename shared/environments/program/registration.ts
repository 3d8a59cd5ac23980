import { z } from 'zod'

const programLimits = {
  step_time_limit: z
    .number()
    .positive()
    .max(100)
    .optional()
    .describe('Maximum seconds for a step; then Espalier ends the program. Default: 30.'),
  reset_time_limit: z
    .number()
    .positive()
    .max(250)
    .optional()
    .describe('Maximum seconds for a reset; then Espalier ends the program. Default: 40.'),
  memory_limit_mb: z
    .int()
    .min(16)
    .max(1_048_576)
    .optional()
    .describe(
      'Maximum memory of the program and its children together, in MB. Above it, Espalier ends the program. Default: 4096.',
    ),
}

export const programRegistrationSchema = z.strictObject({
  kind: z.literal('program'),
  command: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(100)
    .describe(
      'The program and its arguments, started in the folder of this file, such as ["python3", "env.py"].',
    ),
  environment: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and dashes')
    .optional()
    .describe('Name of the environment in the program. Default: its id here.'),
  ...programLimits,
})

export type ProgramRegistration = z.infer<typeof programRegistrationSchema>

export const programCommandFile = 'espalier-program.json'

export const programCommandSchema = z.object({
  command: z.array(z.string()).min(1),
  folder: z.string().min(1).describe('Working directory of the program.'),
  ...programLimits,
})

export type ProgramCommand = z.infer<typeof programCommandSchema>
