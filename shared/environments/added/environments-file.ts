import { z } from 'zod'
import { isolationLimits } from '../../core/contracts/catalogue.ts'
import { machineLabelsSchema } from '../../core/contracts/machine.ts'
import { agentgymRegistrationSchema } from '../agentgym/agentgym-registration.ts'
import { browsergymRegistrationSchema } from '../browsergym/registration.ts'
import { mcpRegistrationSchema } from '../mcp/mcp-registration.ts'
import { openenvRegistrationSchema } from '../openenv/openenv-registration.ts'
import { osworldRegistrationSchema } from '../osworld/machines.ts'
import { programRegistrationSchema } from '../program/registration.ts'
import { webAddress as address } from '../tools/outside-facts.ts'
import { webarenaRegistrationSchema } from '../webarena/registration.ts'

const id = agentgymRegistrationSchema.shape.id

const moduleSchema = z.strictObject({
  kind: z.literal('module'),
  file: z.string().min(1).describe('A TypeScript or JavaScript module, relative to the folder of this file.'),
  ...isolationLimits,
})

const agentgymSchema = z.strictObject({
  kind: z.literal('agentgym'),
  server: agentgymRegistrationSchema.shape.server,
  address,
  tasks: z
    .record(id, z.tuple([z.int().nonnegative(), z.int().positive().max(1_000_000)]))
    .optional()
    .describe('Range of tasks of each split: the first (included) and the end (excluded). Default: all.'),
  max_sessions: agentgymRegistrationSchema.shape.max_sessions,
})

const hostSchema = z.strictObject({
  kind: z.literal('host'),
  address: address.describe('A server that speaks the host protocol.'),
  environment: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Name of the environment on that server. Default: its id here.'),
})

const placement = {
  labels: machineLabelsSchema
    .optional()
    .describe('Labels that a machine must have to play it. Default: none, any machine may.'),
}

export const addedEnvironmentSchema = z.discriminatedUnion('kind', [
  moduleSchema.safeExtend(placement),
  agentgymSchema.safeExtend(placement),
  hostSchema.safeExtend(placement),
  openenvRegistrationSchema.safeExtend(placement),
  mcpRegistrationSchema.safeExtend(placement),
  webarenaRegistrationSchema.safeExtend(placement),
  browsergymRegistrationSchema.safeExtend(placement),
  programRegistrationSchema.safeExtend(placement),
  osworldRegistrationSchema.safeExtend(placement),
])

export type AddedEnvironment = z.infer<typeof addedEnvironmentSchema>

export const environmentsFileSchema = z.strictObject({
  environments: z.record(id, addedEnvironmentSchema),
})
