import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { machineLabelsSchema } from '../../shared/core/contracts/machine.ts'

const word = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'use letters, digits, dots, dashes and underscores')
const label = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'use lower-case letters, digits and dashes')
/** One line, so that it is one argument and one value in each rendered file. */
const line = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\p{Cc}]+$/u, 'use one line of text')
const path = line.regex(/^\//, 'name an absolute path')

export const workersFileSchema = z
  .strictObject({
    name: label.default('espalier'),
    workers: z.int().min(1).max(10_000).default(1),
    places: z.int().min(1).max(10_000).default(100),
    hosts: z.int().min(1).max(10_000).optional(),
    cpus: z.int().min(1).max(1024).default(1),
    memory: z.int().min(1).max(65_536).default(4),
    gpus: z.int().min(0).max(64).default(0),
    hours: z.int().min(1).max(8760).default(24),
    code: path.optional(),
    image: line.optional(),
    join: z.url({ protocol: /^https$/, error: 'name the service’s address, https://…' }).optional(),
    labels: machineLabelsSchema.default([]),
    objects: line.optional(),
    settings: path,
    variables: path.optional(),
    slurm: z
      .strictObject({ partition: word.optional(), account: word.optional(), qos: word.optional() })
      .prefault({}),
    kubernetes: z
      .strictObject({
        namespace: label.default('default'),
        secret: label.optional(),
        claim: label.optional(),
        most_workers: z.int().min(1).max(10_000).optional(),
      })
      .prefault({}),
    skypilot: z.strictObject({ accelerator: word.optional(), infra: line.optional() }).prefault({}),
  })
  .refine(({ code, image }) => (code === undefined) !== (image === undefined), {
    message: 'name either "code", a folder with Espalier and its packages, or "image", a container image',
  })
  .refine(({ join, objects }) => (join === undefined) !== (objects === undefined), {
    message:
      'name either "join", the address of a service, or "objects", the folder or bucket of a world in PostgreSQL',
  })
  .refine(({ hosts, join }) => hosts === undefined || join !== undefined, {
    message: '"hosts" needs "join": machines with hosts join a service',
  })

export type WorkersFile = z.output<typeof workersFileSchema>

/**
 * Reads the description of workers.
 * @throws EspalierError `invalid_request` that names the field
 */
export async function readWorkersFile(file: string): Promise<WorkersFile> {
  let value: unknown
  try {
    value = parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw invalid(file, error instanceof Error ? error.message : String(error), error)
  }
  const { data, error } = workersFileSchema.safeParse(value)
  if (error === undefined) return data
  const faults = error.issues.map(({ path: field, message }) =>
    field.length === 0 ? message : `"${field.join('.')}": ${message}`,
  )
  throw invalid(file, faults.join('; '), error)
}

function invalid(file: string, why: string, cause: unknown): EspalierError {
  return new EspalierError('invalid_request', `${file} describes no workers: ${why}.`, {
    param: 'file',
    cause,
  })
}
