import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Objects } from '../../../core/world/ports.ts'
import type { TrainingJobFiles } from '../../../core/world/training-jobs.ts'
import { copyData } from '../program/program-files.ts'
import type { TrainerJob } from '../trainer.ts'
import type { AwsTrainerConfiguration } from './aws-configuration.ts'
import { foldersOfTraining, keysOfTraining, nameOfRows } from './job-places.ts'

interface InputNeeds {
  objects: Pick<Objects, 'get'>
  files: TrainingJobFiles
  configuration: AwsTrainerConfiguration
  folder: string
}

export async function writeInputs(
  { objects, files, configuration, folder }: InputNeeds,
  { base, data, training }: TrainerJob,
): Promise<void> {
  const keys = keysOfTraining(configuration, training)
  const there = new Map((await files.list(keys.all)).map(({ key, size }) => [key, size]))
  const { own } = foldersOfTraining(folder, training)
  await mkdir(own, { recursive: true })
  // A folder of its own: a service killed a moment ago may still write.
  const place = await mkdtemp(join(own, 'sent-'))
  try {
    const description = []
    for (const [index, { dataset, split, share, files: sources }] of data.entries()) {
      const names: string[] = []
      for (const { key, name, sha256 } of sources) {
        // The name holds the digest, so an existing object is identical.
        const sent = nameOfRows(index, `${sha256.slice(0, 16)}-${name}`)
        names.push(sent)
        if (there.has(`${keys.rows}${sent}`)) continue
        await copyData(objects, key, join(place, sent))
        await files.upload(`${keys.rows}${sent}`, join(place, sent))
      }
      description.push({ dataset, split, share, files: names })
    }
    await files.put(`${keys.rows}rows.json`, JSON.stringify(description))
    if ('folder' in base) await sendFolder(files, base.folder, keys.base, there)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Bytes. Smaller files are always uploaded, since they may have changed; weights are not uploaded again. */
const always = 1024 * 1024

async function sendFolder(
  files: TrainingJobFiles,
  folder: string,
  prefix: string,
  there: ReadonlyMap<string, number>,
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(folder, entry.name)
    const { size } = await stat(path)
    if (size > always && there.get(`${prefix}${entry.name}`) === size) continue
    await files.upload(`${prefix}${entry.name}`, path)
  }
}
