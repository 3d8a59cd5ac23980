import { z } from 'zod'

// Strings of requests that may become a path, or a name that a library first tries as a path.

const namePart = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?$/
const longestPath = 4096

function isNamePart(part: string): boolean {
  return namePart.test(part) && !/\.\.|--/.test(part) && !part.endsWith('.git')
}

/** The name of a model at a hub, as the hub itself allows it: no library could take it for a path. */
export const hubIdSchema = z.string().refine((name) => {
  const parts = name.split('/')
  return parts.length === 2 && parts.every(isNamePart)
}, 'must be the name of a model at the hub, owner/name, such as Qwen/Qwen3-0.6B. Name a folder as "folder", or register the model')

/** The name of a model that a service keeps, such as `gpt-4.1-nano-2025-04-14` or `ft:gpt-4.1:org::id`. */
export const modelNameSchema = z
  .string()
  .max(300)
  .refine((name) => {
    const parts = name.split('/')
    return (
      parts.length <= 2 &&
      parts.every((part) => /^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(part) && !part.includes('..'))
    )
  }, 'must be the name of a model: letters, digits and "._:-", with one "/" at most')

/** A branch, tag or commit: libraries look for a file of this name in their caches. */
export const revisionSchema = z
  .string()
  .max(200)
  .refine((name) => {
    const parts = name.split('/')
    return parts.every((part) => /^[A-Za-z0-9_][A-Za-z0-9._+-]*$/.test(part) && !part.includes('..'))
  }, 'must be a branch, a tag or a commit: letters, digits and "._+-/"')

export const fileNameSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a file name without folders')

/** A path on the machine of the service. Requests may only name paths below a folder that its operator names. */
export const absolutePathSchema = z
  .string()
  .max(longestPath)
  .refine(
    (path) =>
      /^(?:\/|[A-Za-z]:[\\/])/.test(path) && !path.includes('\0') && !path.split(/[\\/]/).includes('..'),
    'must be an absolute path without ".." on the trainer’s machine',
  )
