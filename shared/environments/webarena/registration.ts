import { z } from 'zod'
import { resetHookSchema, secretSchema } from '../reset-hook.ts'
import { webAddress } from '../tools/outside-facts.ts'
import { siteNameSchema } from './site-names.ts'

const path = z.string().startsWith('/')

const sharingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read_only').describe('No task changes it: all sessions use it.') }),
  z.strictObject({
    kind: z
      .literal('sessions')
      .describe('It keeps a copy for each session: a key is sent to its reset, and then with every request.'),
    reset: path
      .default('/reset')
      .describe('Where {"session": KEY} is posted before each start of a task, with a new key each time.'),
    close: path.optional().describe('Where the same is posted when a copy is left. Default: nowhere.'),
    state: path
      .optional()
      .describe(
        'Where the state of a copy is read as JSON, with `session=KEY` in its query, which `reset` takes back as `state`. A search then goes back to pages without scripts without the actions that led there. Default: nowhere.',
      ),
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/)
      .optional()
      .describe('The header that carries the key. Default: the cookies that the reset answers with.'),
  }),
  z.strictObject({
    kind: z.literal('leased').describe('One session has it at a time, and resets it before it begins.'),
    reset: resetHookSchema('site').extend({
      when: z
        .enum(['always', 'asked'])
        .default('always')
        .describe('`asked`: only for tasks with `require_reset`, as in the published runs.'),
    }),
  }),
])

const siteSchema = z.strictObject({
  address: webAddress.transform((text) => text.replace(/\/+$/, '')),
  sharing: sharingSchema.describe('How sessions that are played at the same time share the site.'),
  other_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+(?::\d+)?$/, 'must be a host, such as tiles.example:8080'))
    .default([])
    .describe('Hosts beside that of the address that its pages load from.'),
  administrator: z
    .strictObject({
      name: z.string().min(1),
      password: secretSchema,
      customer: z.email().describe('Whom the tasks play as: their e-mail address.'),
    })
    .optional()
    .describe('Of the shop: evaluations ask it for orders and reviews.'),
})

const stateName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)

export const webarenaRegistrationSchema = z.strictObject({
  kind: z.enum(['webarena', 'visualwebarena']),
  sites: z
    .partialRecord(siteNameSchema, siteSchema)
    .refine((sites) => Object.keys(sites).length > 0, 'must name at least one site'),
  storage_states: z
    .union([
      z.strictObject({ folder: z.string().min(1).describe('From the folder of this file.') }),
      z.record(stateName, secretSchema),
    ])
    .default({})
    .describe(
      'The log-ins that tasks name in `storage_state`, by the names of their files: in a folder, or each in an environment variable.',
    ),
  replay: z
    .enum(['matched', 'exact'])
    .default('matched')
    .describe(
      'What a replay has to show again. `matched`: the same outcome; elements are found again by role, name and position. `exact`: the same texts.',
    ),
})

export type WebarenaRegistration = z.infer<typeof webarenaRegistrationSchema>
export type RegisteredSite = z.infer<typeof siteSchema>
