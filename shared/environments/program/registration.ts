import { z } from 'zod'

/** A program that is an environment, as an administrator registers it in `environments.json`. */
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
    .describe('What the program calls itself. Default: as here.'),
})

export type ProgramRegistration = z.infer<typeof programRegistrationSchema>

/** What a host starts for a session: it comes with the request, as this file. */
export const programCommandFile = 'espalier-program.json'

export const programCommandSchema = z.object({
  command: z.array(z.string()).min(1),
  folder: z.string().min(1).describe('Where the program is started.'),
})

export type ProgramCommand = z.infer<typeof programCommandSchema>
