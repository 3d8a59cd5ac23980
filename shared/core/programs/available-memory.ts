import { totalmem } from 'node:os'
import { EspalierError } from '../contracts/errors.ts'

/** Holds the MiB of a container. In Fargate `os.totalmem()` shows the microVM, about twice the task. */
export const memoryVariable = 'ESPALIER_MEMORY_MIB'

/**
 * Bytes of memory for this process: the least of the machine's, the control group's limit, and the container's size
 * in `ESPALIER_MEMORY_MIB`.
 *
 * @throws EspalierError `invalid_request` if the variable is no whole number from 64
 */
export function availableMemory(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  here: { total: number; constrained: number } = {
    total: totalmem(),
    constrained: process.constrainedMemory(),
  },
): number {
  const given = variables[memoryVariable]
  const declared = given === undefined ? Number.POSITIVE_INFINITY : readMebibytes(given)
  return Math.min(here.total, here.constrained > 0 ? here.constrained : here.total, declared)
}

function readMebibytes(text: string): number {
  if (/^\d{2,9}$/.test(text) && Number(text) >= 64) return Number(text) * 2 ** 20
  throw new EspalierError(
    'invalid_request',
    `${memoryVariable} is "${text}". Set it to the container's memory in MiB, a whole number from 64, or unset it.`,
    { param: memoryVariable },
  )
}
