import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { type DataPackStore, openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import type { DeskOptions } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'

/**
 * Works on the data packs of the data folder. With a stage, works on those of that deployment, with the operator's
 * AWS credentials.
 * @throws EspalierError `conflict` with the remedy, while a service holds the folder
 */
export async function withPackStore<Result>(
  options: DeskOptions,
  work: (store: DataPackStore) => Promise<Result>,
): Promise<Result> {
  const { folder, service, stage } = options
  if (stage !== undefined) {
    // Imported here, so that other commands do not load the AWS clients.
    const { openStageStorage } = await import('../open-stage-storage.ts')
    return work(openDataPacks(await openStageStorage(stage)))
  }
  if (service !== undefined) {
    throw wrongUsage(
      'Data packs are kept where the data is, not through a service: use --folder on its machine, or --stage for a deployment; leave out --service and ESPALIER_URL.',
    )
  }
  const world = await openLocalWorld({ folder }).catch((error: unknown) => {
    if (!EspalierError.isInstance(error) || error.code !== 'conflict') throw error
    throw new EspalierError(
      'conflict',
      `${error.message} Data packs are changed while no service runs: stop it with Ctrl-C, do this again, and start it; its runs go on where they were.`,
      { cause: error },
    )
  })
  try {
    return await work(openDataPacks(world))
  } finally {
    await world.close()
  }
}
