import { writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { readSettingsFile } from '../../../environments/added/read-environments-file.ts'
import { builtinMethods } from '../methods.ts'

export const methodIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be 1 to 63 lower-case letters, digits and hyphens, a letter first')

export const methodsFileSchema = z.strictObject({
  methods: z.record(
    methodIdSchema,
    z.strictObject({
      file: z
        .string()
        .min(1)
        .describe(
          'TypeScript or JavaScript module, or Python file, with the method; relative to the folder of this file.',
        ),
    }),
  ),
})

/** Method files by id, relative to the folder of `methods.json`. */
export type MethodFiles = ReadonlyMap<string, { file: string }>

/**
 * Reads `methods.json`. Returns an empty map if the file does not exist.
 *
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function readMethodsFile(path: string): Promise<Map<string, { file: string }>> {
  const content = await readSettingsFile(path, methodsFileSchema)
  const added = new Map(Object.entries(content?.methods ?? {}))
  const taken = builtinMethods.find(({ id }) => added.has(id))?.id
  if (taken === undefined) return added
  const param = `methods.${taken}`
  throw new EspalierError(
    'invalid_request',
    `${path}: "${taken}" is a method that comes with Espalier. Give yours another id.`,
    { param },
  )
}

/**
 * Adds a method's file to `methods.json` unless it is already listed.
 *
 * @param file an absolute path
 * @returns whether the file was changed
 * @throws EspalierError `invalid_request` if another file has the method
 */
export async function addToMethodsFile(path: string, id: string, file: string): Promise<boolean> {
  const methods = await readMethodsFile(path)
  const known = methods.get(id)
  if (known !== undefined) {
    if (resolve(dirname(path), known.file) === file) return false
    throw new EspalierError(
      'invalid_request',
      `${path} has the method "${id}" in ${known.file} already. Change the entry there, or give the method of ${file} another id.`,
      { param: `methods.${id}` },
    )
  }
  methods.set(id, { file: fileFrom(path, file) })
  await writeFile(path, `${JSON.stringify({ methods: Object.fromEntries(methods) }, null, 2)}\n`)
  return true
}

export function fileFrom(path: string, file: string): string {
  const from = relative(dirname(path), file).split(sep).join('/')
  return from.startsWith('.') || from.startsWith('/') ? from : `./${from}`
}
