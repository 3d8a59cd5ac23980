import { z } from 'zod'
import { resetHookSchema, secretSchema } from '../reset-hook.ts'
import { webAddress } from '../tools/outside-facts.ts'
import { siteNameSchema } from './site-names.ts'

const path = z.string().startsWith('/')

const sharingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read_only').describe('No task changes the site; all sessions use it.') }),
  z.strictObject({
    kind: z
      .literal('sessions')
      .describe(
        'The site keeps a copy for each session: Espalier sends a key to its reset, then with every request.',
      ),
    reset: path
      .default('/reset')
      .describe('Path for a POST of {"session": KEY} before each start of a task, with a new key each time.'),
    close: path.optional().describe('Path for the same POST when a session leaves its copy. Default: none.'),
    state: path
      .optional()
      .describe(
        'Path that returns the state of a copy as JSON, with `session=KEY` in the query; `reset` accepts it as `state`. A search then returns to pages without scripts without a replay of actions. Default: none.',
      ),
    header: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/)
      .optional()
      .describe('Header that carries the key. Default: the cookies in the reset’s response.'),
  }),
  z.strictObject({
    kind: z.literal('leased').describe('One session uses the site at a time, and resets it first.'),
    reset: resetHookSchema('site').extend({
      when: z
        .enum(['always', 'asked'])
        .default('always')
        .describe('`asked`: only for tasks with `require_reset`, as in the published runs.'),
    }),
  }),
])

const signedInSchema = z.strictObject({
  path: path.describe('Path of a page that logged-in users get without a redirect, such as /wishlist/.'),
  text: z.string().min(1).describe('Text in its HTML that guests do not get.'),
})

const siteSchema = z.strictObject({
  address: webAddress.transform((text) => text.replace(/\/+$/, '')),
  sharing: sharingSchema.describe('Way in which parallel sessions share the site.'),
  other_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+(?::\d+)?$/, 'must be a host, such as tiles.example:8080'))
    .default([])
    .describe('Further hosts from which its pages load.'),
  signed_in: signedInSchema
    .optional()
    .describe('Check of the log-in before each task that has one for this site. Default: none.'),
  administrator: z
    .strictObject({
      name: z.string().min(1),
      password: secretSchema,
      customer: z.email().describe('E-mail address of the customer as whom the tasks act.'),
    })
    .optional()
    .describe('Administrator of the shop; evaluations read orders and reviews with this account.'),
})

const stateName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)

export const webarenaRegistrationSchema = z.strictObject({
  kind: z.enum(['webarena', 'visualwebarena']),
  sites: z
    .partialRecord(siteNameSchema, siteSchema)
    .refine((sites) => Object.keys(sites).length > 0, 'must name at least one site'),
  storage_states: z
    .union([
      z.strictObject({ folder: z.string().min(1).describe('Relative to the folder of this file.') }),
      z.record(stateName, secretSchema),
    ])
    .default({})
    .describe(
      'Log-ins that tasks name in `storage_state`, by file name: in a folder, or each in an environment variable.',
    ),
  replay: z
    .enum(['matched', 'exact'])
    .default('matched')
    .describe(
      'Requirement for a replay. `matched`: the same outcome; elements are found again by role, name and position. `exact`: the same texts.',
    ),
})

export type WebarenaRegistration = z.infer<typeof webarenaRegistrationSchema>
export type RegisteredSite = z.infer<typeof siteSchema>
