import { MetricUnit } from '@aws-lambda-powertools/metrics'
import { episodeMessageSchema } from '../../shared/core/engine/episodes/episode-message.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { datasetMessageSchema, neverEnded } from '../../shared/data/datasets/take-dataset-message.ts'
import { logger, metrics } from './observe.ts'
import type { openInvocationEngine } from './open-invocation-engine.ts'

export async function buryLetter(
  { engine, datasets }: Pick<ReturnType<typeof openInvocationEngine>, 'engine' | 'datasets'>,
  body: unknown,
): Promise<void> {
  metrics.addMetric('DeadLetters', MetricUnit.Count, 1)
  const episode = episodeMessageSchema.safeParse(body).data
  const dataset = datasetMessageSchema.safeParse(body).data
  if (episode) logger.warn('episode.buried', { ...episode, ended: await engine.bury(episode) })
  else if (dataset) await datasets.giveUp(dataset.dataset, neverEnded)
  else logger.error('dead-letter.unknown', { body: JSON.stringify(body) })
}

export async function buryAllLetters(
  engine: Pick<ReturnType<typeof openInvocationEngine>, 'engine' | 'datasets'>,
  queues: World['queues'],
): Promise<void> {
  for (const { dead_letters } of Object.values(queues)) {
    for (;;) {
      const letters = await dead_letters.receive({ max: 10, wait: 0, visibility: 300 })
      if (letters.length === 0) break
      for (const { body, receipt } of letters) {
        await buryLetter(engine, body)
        await dead_letters.delete(receipt)
      }
    }
  }
}
