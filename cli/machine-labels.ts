import { InvalidArgumentError } from 'commander'
import { machineLabelsSchema } from '../shared/core/contracts/machine.ts'
import { wrongUsage } from './command-error.ts'

export const labelsFlag = [
  '--labels <list>',
  'labels of this machine, such as gpu,browser: it plays environments that need them (or ESPALIER_LABELS)',
  parseLabels,
] as const

export interface LabelsOption {
  labels?: string[]
}

export function machineLabels(
  { labels }: LabelsOption,
  { ESPALIER_LABELS: variable }: Readonly<Record<string, string | undefined>>,
): string[] {
  if (labels !== undefined || variable === undefined) return labels ?? []
  try {
    return parseLabels(variable)
  } catch (error) {
    throw wrongUsage(`ESPALIER_LABELS: ${error instanceof Error ? error.message : error}`)
  }
}

function parseLabels(text: string): string[] {
  const words = text.split(',').flatMap((word) => word.trim() || [])
  const { data, error } = machineLabelsSchema.safeParse(words)
  if (data !== undefined) return data
  throw new InvalidArgumentError(`It takes labels such as gpu,browser: ${error.issues[0]?.message}.`)
}
