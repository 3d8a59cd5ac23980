import type { Dataset } from '../../shared/core/contracts/dataset.ts'

const phases: Record<Dataset['progress']['phase'], string> = {
  planning: 'Listing the episodes',
  asking: 'Asking a model about the episodes',
  collecting: 'Making rows',
  assembling: 'Writing the files',
  done: 'Done',
}

export function describeProgress({ progress, status }: Pick<Dataset, 'progress' | 'status'>): {
  share: number
  text: string
} {
  const { parts, parts_done, phase } = progress
  if (status === 'queued') return { share: 0, text: 'Waiting for a worker' }
  const collected = parts === 0 ? 0 : parts_done / parts
  const share = {
    planning: 0.02,
    asking: 0.05,
    collecting: 0.1 + 0.75 * collected,
    assembling: 0.9,
    done: 1,
  }[phase]
  const of = phase === 'collecting' && parts > 0 ? `: ${parts_done} of ${parts} parts` : ''
  return { share, text: `${phases[phase]}${of}` }
}

export function isBuilding({ status }: Pick<Dataset, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}
