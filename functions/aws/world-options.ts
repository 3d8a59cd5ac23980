import type { AwsWorldOptions } from '../../shared/core/world/aws/open-aws-world.ts'
import type { Settings } from './settings.ts'

export function toWorldOptions(settings: Settings): AwsWorldOptions {
  return {
    table: settings.ESPALIER_TABLE,
    bucket: settings.ESPALIER_BUCKET,
    queues: {
      episodes: { url: settings.ESPALIER_QUEUE_EPISODES, dead_letters: settings.ESPALIER_DEAD_EPISODES },
      alone: { url: settings.ESPALIER_QUEUE_ALONE, dead_letters: settings.ESPALIER_DEAD_ALONE },
      datasets: { url: settings.ESPALIER_QUEUE_DATASETS, dead_letters: settings.ESPALIER_DEAD_DATASETS },
      jobs: { url: settings.ESPALIER_QUEUE_JOBS, dead_letters: settings.ESPALIER_DEAD_JOBS },
    },
    ...(settings.ESPALIER_QUEUE_LASTING !== undefined && { lasting: settings.ESPALIER_QUEUE_LASTING }),
    hosts: settings.ESPALIER_HOSTS ?? null,
  }
}
