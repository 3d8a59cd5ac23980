import type { DatasetRequestInput } from '../shared/contracts/dataset.ts'
import type { PlayedTemplate } from './stamped-runs.ts'

/** What `dataset-build.ts` is asked to build. */
export interface MeasuredBuild {
  folder: string
  request: DatasetRequestInput
  templates: PlayedTemplate[]
  episodes: number
  /** How many of the episodes are attempts at one task. */
  attempts: number
}

/** What it found. */
export interface BuildMeasure {
  rows: number
  /** From when the build is taken up until its manifest is stored. */
  seconds: number
  /** Of all threads, in that time: what it would take on one processor that does nothing else. */
  processorSeconds: number
  /** Most resident memory of the process, in MB. */
  peak: number
  /** Reading the same trees, and packing the same rows, with nothing in between. */
  bareSeconds: number
  bytes: number
  textBytes: number
}
