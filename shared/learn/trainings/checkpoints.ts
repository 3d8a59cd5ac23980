import { createHash } from 'node:crypto'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { TrainingCheckpoint } from '../../core/contracts/training.ts'
import type { Objects } from '../../core/world/ports.ts'
import {
  removeOtherParts,
  restoreFiles,
  type StoredFile,
  storedFileSchema,
  storeFiles,
} from './stored-files.ts'
import type { RemoteCheckpoint, TrainerFiles } from './trainer.ts'

const manifestSchema = z.object({
  step: z.int(),
  files: z.array(storedFileSchema),
  optimizer: z.array(z.string()),
})

type Manifest = z.infer<typeof manifestSchema>

const prefixOf = (training: string) => `trainings/${training}/checkpoints`
const manifestKey = (training: string, step: number) => `${prefixOf(training)}/${step}.json`

/**
 * Checkpoints of trainings as objects: a manifest each, and the chunks of their files by digest. Files that only a
 * trainer needs (the optimizer's state, twice as large as the weights) are kept for the newest checkpoint only.
 */
export function checkpointStore(objects: Objects) {
  async function readManifest(training: string, step: number): Promise<Manifest> {
    const object = await objects.get(manifestKey(training, step))
    if (object === null) {
      throw new EspalierError(
        'storage_failed',
        `The checkpoint at step ${step} of ${training} is not stored.`,
      )
    }
    return manifestSchema.parse(JSON.parse(Buffer.from(object.body).toString('utf8')))
  }

  async function writeManifest(training: string, manifest: Manifest): Promise<void> {
    await objects.put(manifestKey(training, manifest.step), Buffer.from(JSON.stringify(manifest)), {
      content_type: 'application/json',
    })
  }

  return {
    /** @returns null if the trainer removed it meanwhile, as it does with old ones */
    async store(
      training: string,
      { step, folder, names, optimizer }: TrainerFiles,
    ): Promise<TrainingCheckpoint | null> {
      let files: StoredFile[]
      try {
        files = await storeFiles(objects, prefixOf(training), folder, names)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
      await writeManifest(training, { step, files, optimizer })
      return { ...describe(step, files), has_optimizer: optimizer.length > 0, remote: null }
    },

    /**
     * Keeps the newest `keep` checkpoints. Keeps the optimizer's state of the last one, or of none once the training
     * is done.
     */
    async prune(
      training: string,
      stored: readonly TrainingCheckpoint[],
      { keep, isDone }: { keep: number; isDone: boolean },
    ): Promise<TrainingCheckpoint[]> {
      const kept = stored.toSorted((one, other) => one.step - other.step).slice(-keep)
      const newest = isDone ? -1 : (kept.at(-1)?.step ?? -1)
      const result: TrainingCheckpoint[] = []
      const files: StoredFile[] = []
      for (const checkpoint of kept) {
        if (checkpoint.remote !== null) {
          result.push(checkpoint)
          continue
        }
        const manifest = await readManifest(training, checkpoint.step)
        const slim = checkpoint.step === newest ? manifest : withoutOptimizer(manifest)
        if (slim.files.length < manifest.files.length) await writeManifest(training, slim)
        files.push(...slim.files)
        result.push({
          ...describe(checkpoint.step, slim.files),
          has_optimizer: slim.optimizer.length > 0,
          remote: null,
        })
      }
      for (const { step } of stored) {
        if (!kept.some((each) => each.step === step)) await objects.delete(manifestKey(training, step))
      }
      await removeOtherParts(objects, prefixOf(training), files)
      return result
    },

    async restore(training: string, step: number, folder: string): Promise<string[]> {
      const { files } = await readManifest(training, step)
      await restoreFiles(objects, prefixOf(training), files, folder)
      return files.map(({ name }) => name)
    },

    async remove(training: string, stored: readonly TrainingCheckpoint[]): Promise<void> {
      for (const { step } of stored) await objects.delete(manifestKey(training, step))
      await removeOtherParts(objects, prefixOf(training), [])
    },
  }
}

export function remoteCheckpoint({ step, model }: RemoteCheckpoint): TrainingCheckpoint {
  return { ...describe(step, []), has_optimizer: false, remote: model }
}

export type CheckpointStore = ReturnType<typeof checkpointStore>

function describe(
  step: number,
  files: readonly StoredFile[],
): Omit<TrainingCheckpoint, 'has_optimizer' | 'remote'> {
  const list = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  return {
    step,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: createHash('sha256').update(list).digest('hex'),
  }
}

function withoutOptimizer({ step, files, optimizer }: Manifest): Manifest {
  return { step, files: files.filter(({ name }) => !optimizer.includes(name)), optimizer: [] }
}
